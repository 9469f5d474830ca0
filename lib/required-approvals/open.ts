/** Starts requests for approval: on a member's request, and again for each new version. */
import type { Recorder } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import type { Step } from "./evaluate.ts";
import { type Asked, requirementFor } from "./facts.ts";
import { type LockedContract, latestOf } from "./rows.ts";

/** Casts trusted data to Prisma's type of JSON. */
export const json = (value: unknown) => value as Prisma.InputJsonValue;

/** The columns of a request at the start of a step. */
export const beginning = (step: number, { needs, role, userIds }: Step, now: Date) => ({
  ...{ step, needs, askedRole: role, askedIds: userIds, answeredIds: [] },
  ...{ stepSince: now, askedSince: now },
});

/** Requests approval from those whom the rules name. The contract must be locked and have no open request. */
export async function openApproval(
  tx: Transaction,
  ctx: Context,
  record: Recorder,
  contract: LockedContract,
  { requestedById, rules, steps, versionId }: Asked & { requestedById: string },
): Promise<string> {
  const id = newId("approval");
  await tx.approval.create({
    data: {
      ...own(ctx),
      ...{ id, contractId: contract.id, versionId, requestedById, createdAt: ctx.now },
      rules: json(rules.map(({ id, revision }) => ({ id, revision }))),
      steps: json(steps),
      ...beginning(0, steps[0]!, ctx.now),
    },
  });
  record({
    action: "APPROVAL_REQUESTED",
    target: { type: "approval", id },
    contract: { id: contract.id, title: contract.title },
    changes: { rules: { from: null, to: rules.map(({ name }) => name) } },
  });
  return id;
}

/**
 * Requests approval again for a new version, since the latest request, whether open, approved or sent back, was about
 * the previous one. Does nothing if that request was withdrawn, or if there was none.
 */
export async function reopenApproval(
  tx: Transaction,
  ctx: Context,
  record: Recorder,
  contract: LockedContract,
): Promise<void> {
  const before = await latestOf(ctx, contract.id);
  if (!before || before.outcome === "WITHDRAWN") return;
  if (before.outcome === null) {
    await tx.approval.update({
      where: { organizationId_id: { ...own(ctx), id: before.id } },
      data: { outcome: "REPLACED", endedAt: ctx.now },
    });
  }
  const asked = await requirementFor(ctx, contract.id);
  if (!asked || asked.rules.length === 0) return;
  await openApproval(tx, ctx, record, contract, { ...asked, requestedById: before.requestedById });
}
