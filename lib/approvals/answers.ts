/** The answers to a request: approve, send back with a reason, or delegate to someone else. */
import { moveByHand } from "#lib/contracts/contracts.ts";
import { change, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { uncovered, without } from "#lib/required-approvals/evaluate.ts";
import { missingApproval } from "#lib/required-approvals/expect.ts";
import { requirementFor } from "#lib/required-approvals/facts.ts";
import { beginning, json } from "#lib/required-approvals/open.ts";
import { type ApprovalRow, currentApprovers, type LockedContract } from "#lib/required-approvals/rows.ts";
import type { answers } from "./catalogue.ts";
import { end, expectPerson, lockOpen } from "./open.ts";
import { approversAmong } from "./rules.ts";

/** Keeps two members from delegating to each other forever. */
const maxAnswers = 200;

interface AnswerTarget {
  id: string;
  step: number;
}

/** Gives the approval of a step. The last one needed approves the contract. */
export async function approve(ctx: Context, answered: AnswerTarget): Promise<void> {
  const { id: userId } = expectPerson(ctx);
  await change(ctx, async (tx, record) => {
    const { approval, contract } = await lockForAnswer(tx, ctx, answered);
    await addAnswer(tx, ctx, approval, "GIVEN");
    record({ ...entryOf(approval, contract), action: "APPROVAL_GIVEN" });
    const left = await remainingApprovers(ctx, approval);
    if (approval.needs === "ALL" && (await hasApproversLeft(ctx, approval, left))) {
      await update(tx, ctx, approval, left);
      return;
    }
    const step = (await allSteps(tx, ctx, approval))[approval.step + 1];
    if (step) return update(tx, ctx, approval, beginning(approval.step + 1, step, ctx.now));
    await end(tx, ctx, approval, { outcome: "APPROVED", endedById: userId });
    // A version may have been added while no one was asked, as in a cancelled contract. This approval excludes it.
    const isWhole = (await missingApproval(ctx, contract.id)) === null;
    if (isWhole && contract.status === "IN_REVIEW") {
      await moveByHand(ctx, { id: contract.id, next: "APPROVED" });
    }
  });
}

/** Ends the request with a reason: what has to be changed first. */
export async function sendBack(ctx: Context, { reason, ...answered }: AnswerTarget & { reason: string }) {
  const { id: endedById } = expectPerson(ctx);
  await change(ctx, async (tx, record) => {
    const { approval, contract } = await lockForAnswer(tx, ctx, answered);
    await addAnswer(tx, ctx, approval, "SENT_BACK");
    await end(tx, ctx, approval, { outcome: "SENT_BACK", endedById, reason });
    record({ ...entryOf(approval, contract), action: "APPROVAL_REFUSED", reason });
  });
}

/** Asks someone else to answer instead of the actor. */
export async function delegateApproval(
  ctx: Context,
  { userId: to, ...answered }: AnswerTarget & { userId: string },
) {
  const { id: from } = expectPerson(ctx);
  await change(ctx, async (tx, record) => {
    const { approval, contract } = await lockForAnswer(tx, ctx, answered);
    if (to === from || !(await approversAmong(ctx, [to])).has(to)) {
      throw invalid({ path: "userId", message: "is not another member who can approve" });
    }
    await addAnswer(tx, ctx, approval, "DELEGATED", to);
    const left = await remainingApprovers(ctx, approval);
    const askedIds = [...left.askedIds.filter((id) => id !== to), to];
    await update(tx, ctx, approval, { ...left, askedIds, askedSince: ctx.now });
    record({
      ...entryOf(approval, contract),
      action: "APPROVAL_DELEGATED",
      changes: { approverId: { from, to } },
    });
  });
}

/** Locks an open request. Refuses if it does not ask the actor now, or is no longer at the step that they saw. */
async function lockForAnswer(tx: Transaction, ctx: Context, { id, step }: AnswerTarget) {
  const { approval, contract } = await lockOpen(tx, ctx, id);
  const asked = await currentApprovers(ctx, approval.id);
  if (asked.length === 0) {
    const message =
      "The contract is archived or not in review: unarchive it, or move it back to review, first.";
    throw new Refusal("conflict", message);
  }
  if (!asked.some(({ id: userId }) => userId === ctx.actor.id)) {
    throw new Refusal("forbidden", "This is not waiting for your approval.");
  }
  if (approval.step !== step) {
    throw new Refusal(
      "conflict",
      "This step has been approved already. Reload to see what needs your approval.",
    );
  }
  return { approval, contract };
}

async function addAnswer(
  tx: Transaction,
  ctx: Context,
  { id: approvalId, step }: ApprovalRow,
  answer: (typeof answers)[number],
  toUserId: string | null = null,
): Promise<void> {
  const number = await tx.approvalAnswer.count({ where: { ...own(ctx), approvalId } });
  if (number >= maxAnswers && answer === "DELEGATED") {
    throw new Refusal("conflict", "This has been delegated too often: approve it, or send it back.");
  }
  const given = { number, step, userId: ctx.actor.id, answer, toUserId, createdAt: ctx.now };
  await tx.approvalAnswer.create({ data: { ...own(ctx), approvalId, ...given } });
}

/** Whom the step asks after this answer. An owner also answers for members who can no longer approve. */
async function remainingApprovers(ctx: Context, { askedIds, answeredIds }: ApprovalRow) {
  const { actor } = ctx;
  const standsIn = actor.kind === "user" && actor.role === "owner";
  const able = standsIn ? await approversAmong(ctx, askedIds) : null;
  return {
    askedIds: askedIds.filter((id) => id !== actor.id && (able === null || able.has(id))),
    answeredIds: [...new Set([...answeredIds, actor.id])],
  };
}

type Left = Pick<ApprovalRow, "askedIds" | "answeredIds">;

async function hasApproversLeft(ctx: Context, { askedRole }: ApprovalRow, { askedIds, answeredIds }: Left) {
  if (askedIds.length > 0) return true;
  const [found] = await select<{ isAsked: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM members WHERE organization_id = $1 AND role = $2 AND removed_at IS NULL
       AND user_id <> ALL($3::text[])) AS "isAsked"`,
    [ctx.organizationId, askedRole, answeredIds],
  );
  return found?.isAsked ?? false;
}

/**
 * Returns all steps of a request. At the last step, it adds the steps of rules that apply only now, because the
 * contract or the rules have changed since the request.
 */
async function allSteps(tx: Transaction, ctx: Context, approval: ApprovalRow) {
  if (approval.step + 1 < approval.steps.length) return approval.steps;
  const needed = await requirementFor(ctx, approval.contractId, approval.versionId);
  const since = uncovered(needed?.rules ?? [], approval.rules);
  if (since.length === 0) return approval.steps;
  const more = without(
    since.flatMap(({ steps }) => steps),
    approval.steps,
  );
  const steps = [...approval.steps, ...more];
  const rules = [...approval.rules, ...since.map(({ id, revision }) => ({ id, revision }))];
  await update(tx, ctx, approval, { steps: json(steps), rules: json(rules) });
  return steps;
}

async function update(tx: Transaction, ctx: Context, { id }: ApprovalRow, data: object): Promise<void> {
  await tx.approval.update({ where: { organizationId_id: { ...own(ctx), id } }, data });
}

const entryOf = ({ id }: ApprovalRow, { id: contractId, title }: LockedContract) => ({
  target: { type: "approval", id },
  contract: { id: contractId, title },
});
