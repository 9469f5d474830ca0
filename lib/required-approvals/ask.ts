/** How a request for approval begins: by hand, and again with each new version. */
import type { Recorder } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import type { Step } from "./evaluate.ts";
import { type Asked, requirementFor } from "./facts.ts";
import { type LockedContract, latestOf } from "./rows.ts";

/** JSON that we wrote ourselves. */
export const json = (value: unknown) => value as Prisma.InputJsonValue;

/** Whom a step asks in the beginning. */
export const beginning = (step: number, { needs, role, userIds }: Step, now: Date) => ({
  ...{ step, needs, askedRole: role, askedIds: userIds, answeredIds: [] },
  ...{ stepSince: now, askedSince: now },
});

/** Asks those whom the rules name for their approval. The contract is locked, and no other request is open. */
export async function ask(
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
 * A new version asks everyone again: what was approved, sent back or is still waited for was about the one before. What was
 * withdrawn, or was never asked for, stays so.
 */
export async function askAgain(
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
  await ask(tx, ctx, record, contract, { ...asked, requestedById: before.requestedById });
}
