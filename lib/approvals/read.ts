/** A contract's approval as its page shows it: what it needs, whom it waits for, and how earlier requests ended. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { Step } from "#lib/required-approvals/evaluate.ts";
import { missingInWords, missingOf } from "#lib/required-approvals/expect.ts";
import { requirementFor } from "#lib/required-approvals/facts.ts";
import { currentApprovers } from "#lib/required-approvals/rows.ts";
import { withPeople } from "./people.ts";
import type { Approval, ApprovalAnswer, ContractApproval, PastApproval } from "./schema.ts";

/** The limit of earlier requests to show; the audit log has them all. */
const maxEarlier = 10;

interface Row {
  id: string;
  versionId: string | null;
  versionNumber: number | null;
  requestedById: string;
  requestedByName: string;
  requestedAt: string;
  outcome: PastApproval["outcome"];
  reason: string | null;
  endedById: string | null;
  endedByName: string | null;
  endedAt: string | null;
  step: number;
  steps: Step[];
}

export async function approvalOf(ctx: Context, { id }: { id: string }): Promise<ContractApproval> {
  const needed = await requirementFor(ctx, id);
  if (!needed) throw notFound("contract");
  const [missing, [latest, ...earlier]] = await Promise.all([
    missingOf(ctx, id, needed),
    requestsOf(ctx, id),
  ]);
  const shown = await withPeople(ctx, [...needed.steps, ...(latest?.steps ?? [])]);
  return {
    isNeeded: missing !== null,
    missing: missing && missingInWords(missing),
    rules: needed.rules.map(({ name }) => name),
    steps: needed.steps.map(shown),
    approval: latest ? await withAnswers(ctx, latest, shown) : null,
    earlier: earlier.map(pastFrom),
  };
}

async function requestsOf(ctx: Context, contractId: string): Promise<Row[]> {
  return select<Row>(
    `SELECT a.id, v.id AS "versionId", v.version_number AS "versionNumber", a.requested_by_id AS "requestedById",
       r.name AS "requestedByName", a.created_at AS "requestedAt", a.outcome, a.reason, e.id AS "endedById",
       e.name AS "endedByName", a.ended_at AS "endedAt", a.step, a.steps
     FROM approvals a
     JOIN users r ON r.id = a.requested_by_id
     LEFT JOIN users e ON e.id = a.ended_by_id
     LEFT JOIN document_versions v ON v.organization_id = a.organization_id AND v.id = a.version_id
     WHERE a.organization_id = $1 AND a.contract_id = $2 ORDER BY a.id DESC LIMIT ${maxEarlier + 1}`,
    [ctx.organizationId, contractId],
  );
}

function pastFrom(row: Row): PastApproval {
  const { id, versionId, versionNumber, requestedAt, outcome, reason, endedById, endedAt } = row;
  return {
    id,
    version: versionId !== null && versionNumber !== null ? { id: versionId, versionNumber } : null,
    requestedBy: { id: row.requestedById, name: row.requestedByName },
    endedBy: endedById === null ? null : { id: endedById, name: row.endedByName ?? "" },
    ...{ requestedAt, outcome, reason, endedAt },
  };
}

type StepFormatter = Awaited<ReturnType<typeof withPeople>>;

async function withAnswers(ctx: Context, row: Row, shown: StepFormatter): Promise<Approval> {
  const [answers, asked] = await Promise.all([answersTo(ctx, row.id), currentApprovers(ctx, row.id)]);
  const steps = row.steps.map((step, index) => ({
    ...shown(step),
    answers: answers.filter((answer) => answer.step === index),
  }));
  return { ...pastFrom(row), step: row.step, steps, currentApprovers: asked };
}

interface AnswerRow {
  step: number;
  answer: ApprovalAnswer["answer"];
  at: string;
  byId: string;
  byName: string;
  toId: string | null;
  toName: string | null;
}

async function answersTo(ctx: Context, id: string): Promise<(ApprovalAnswer & { step: number })[]> {
  const rows = await select<AnswerRow>(
    `SELECT n.step, n.answer, n.created_at AS at, u.id AS "byId", u.name AS "byName", t.id AS "toId", t.name AS "toName"
     FROM approval_answers n JOIN users u ON u.id = n.user_id LEFT JOIN users t ON t.id = n.to_user_id
     WHERE n.organization_id = $1 AND n.approval_id = $2 ORDER BY n.number`,
    [ctx.organizationId, id],
  );
  return rows.map(({ step, answer, at, byId, byName, toId, toName }) => ({
    ...{ step, answer, at, by: { id: byId, name: byName } },
    to: toId === null ? null : { id: toId, name: toName ?? "" },
  }));
}
