/**
 * Deletes a draft that was never sent, with everything that belongs to it. Its history stays in the audit log; the next
 * sweep deletes its files (storage/sweep.ts).
 */
import { removeContract } from "#lib/contracts/contracts.ts";
import { findContract } from "#lib/contracts/rows.ts";
import { change, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { removeObligationsOf } from "#lib/obligations/remove.ts";
import { removeProposalsOf } from "#lib/proposals/store.ts";
import { discardDraftsOf, lockRequestsOf } from "#lib/signatures/draft/discard.ts";
import type { ContractToDelete, Deletion } from "./schema.ts";

/** Returns what would be deleted with a draft. Throws if it cannot be deleted, or not by this member. */
export async function previewDeletion(ctx: Context, { id }: ContractToDelete): Promise<Deletion> {
  await expectDeletable(ctx, id);
  const where = { ...own(ctx), contractId: id };
  const [versions, obligations, comments, drafts] = await Promise.all([
    reader().documentVersion.count({ where }),
    reader().obligation.count({ where: { ...where, state: { not: "SUGGESTED" } } }),
    reader().comment.count({ where: { ...where, deletedAt: null } }),
    reader().envelope.count({ where }),
  ]);
  return { versions, obligations, comments, drafts };
}

export async function deleteDraft(ctx: Context, { id }: ContractToDelete): Promise<void> {
  await change(ctx, async (tx, record) => {
    // Locks the signature requests first, as sending one does, to avoid a deadlock.
    const requests = await lockRequestsOf(tx, ctx, id);
    await tx.$queryRaw`SELECT 1 FROM contracts
      WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR UPDATE`;
    const { title } = await expectDeletable(ctx, id);
    await discardDraftsOf(tx, ctx, id, requests);
    await removeProposalsOf(tx, ctx, id);
    await removeObligationsOf(tx, ctx, id);
    await removeContract(tx, ctx, id);
    const contract = { id, title };
    record({
      action: "CONTRACT_DELETED",
      target: { type: "contract", id },
      contract,
      resource: { contract },
    });
  });
}

async function expectDeletable(ctx: Context, id: string) {
  const contract = await findContract(ctx, id);
  const { actor } = ctx;
  const isTheirs = actor.kind === "user" && contract.ownerId === actor.id;
  const looksAfterOthers = actor.kind === "user" && (actor.role === "owner" || actor.role === "admin");
  if (!isTheirs && !looksAfterOthers) {
    throw new Refusal(
      "forbidden",
      "Only the contract's owner, or an owner or admin of the workspace, can delete it.",
    );
  }
  if (contract.status !== "DRAFT") {
    throw new Refusal("conflict", "Only a draft can be deleted. Archive this contract instead.");
  }
  const where = { ...own(ctx), contractId: id, status: { not: "DRAFT" } };
  if ((await reader().envelope.count({ where })) > 0) {
    throw new Refusal("conflict", "This contract was sent for signature, so it stays. Archive it instead.");
  }
  return contract;
}
