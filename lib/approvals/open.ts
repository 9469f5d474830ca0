/** Locks and ends open requests. */
import type { Actor, Context } from "#lib/core/context.ts";
import { own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import {
  type ApprovalRow,
  findApproval,
  type LockedContract,
  lockContract,
} from "#lib/required-approvals/rows.ts";

type Person = Extract<Actor, { kind: "user" }>;

/** Refuses API keys and assistants: only people may approve. */
export function expectPerson({ actor, assistant }: Context): Person {
  if (actor.kind === "user" && !assistant) return actor;
  throw new Refusal("forbidden", "Only signed-in members can request and give approvals.");
}

const endedMessages: Record<NonNullable<ApprovalRow["outcome"]>, string> = {
  APPROVED: "This version is already approved.",
  SENT_BACK: "It has been sent back already.",
  WITHDRAWN: "The request has been withdrawn.",
  REPLACED: "A newer version has been added, for which approval is asked again.",
};

/** Locks an open request and its contract until the commit, so that no one else can answer it or add a version. */
export async function lockOpen(
  tx: Transaction,
  ctx: Context,
  id: string,
): Promise<{ approval: ApprovalRow; contract: LockedContract }> {
  const { contractId } = await findApproval(ctx, id);
  const contract = await lockContract(tx, ctx, contractId);
  // The request may have ended before the lock. Handing over a leaving member's approvals locks only this row.
  await tx.$queryRaw`SELECT 1 AS locked FROM approvals
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR UPDATE`;
  const approval = await findApproval(ctx, id);
  if (approval.outcome !== null) throw new Refusal("conflict", endedMessages[approval.outcome]);
  return { approval, contract };
}

interface Ending {
  outcome: NonNullable<ApprovalRow["outcome"]>;
  endedById?: string;
  reason?: string;
}

/** Ends a request with an outcome. */
export async function end(
  tx: Transaction,
  ctx: Context,
  { id }: ApprovalRow,
  { outcome, endedById, reason }: Ending,
): Promise<void> {
  await tx.approval.update({
    where: { organizationId_id: { ...own(ctx), id } },
    data: { outcome, endedAt: ctx.now, endedById: endedById ?? null, reason: reason ?? null },
  });
}
