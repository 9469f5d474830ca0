/** Reads stored requests for approval, and locks their contracts. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { notFound } from "#lib/core/errors.ts";
import type { RuleMark, Step } from "./evaluate.ts";

export interface ApprovalRow {
  id: string;
  contractId: string;
  versionId: string | null;
  requestedById: string;
  rules: RuleMark[];
  steps: Step[];
  step: number;
  needs: Step["needs"];
  askedRole: string | null;
  askedIds: string[];
  answeredIds: string[];
  outcome: "APPROVED" | "SENT_BACK" | "WITHDRAWN" | "REPLACED" | null;
}

const columns = `id, contract_id AS "contractId", version_id AS "versionId", requested_by_id AS "requestedById",
  rules, steps, step, needs, asked_role AS "askedRole", asked_ids AS "askedIds", answered_ids AS "answeredIds", outcome`;

/** Returns the latest request of a contract, open or ended. */
export async function latestOf(ctx: Context, contractId: string): Promise<ApprovalRow | undefined> {
  const [row] = await select<ApprovalRow>(
    `SELECT ${columns} FROM approvals WHERE organization_id = $1 AND contract_id = $2 ORDER BY id DESC LIMIT 1`,
    [ctx.organizationId, contractId],
  );
  return row;
}

export async function findApproval(ctx: Context, id: string): Promise<ApprovalRow> {
  const [row] = await select<ApprovalRow>(
    `SELECT ${columns} FROM approvals WHERE organization_id = $1 AND id = $2`,
    [ctx.organizationId, id],
  );
  if (!row) throw notFound("approval");
  return row;
}

export interface LockedContract {
  id: string;
  title: string;
  status: string;
}

/** Locks a contract until the commit, so that no one else can add a version, answer a request or change its status. */
export async function lockContract(tx: Transaction, ctx: Context, id: string): Promise<LockedContract> {
  const [contract] = await tx.$queryRaw<LockedContract[]>`SELECT id, title, status FROM contracts
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR UPDATE`;
  if (!contract) throw notFound("contract");
  return contract;
}

/** Returns the people whom a request asks now. */
export async function currentApprovers(
  ctx: Context,
  approvalId: string,
): Promise<{ id: string; name: string }[]> {
  return select(
    `SELECT u.id, u.name FROM approvals_asked_now a JOIN users u ON u.id = a.user_id
     WHERE a.organization_id = $1 AND a.approval_id = $2 ORDER BY u.name, u.id`,
    [ctx.organizationId, approvalId],
  );
}
