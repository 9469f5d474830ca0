/** Deletes a contract's drafts together with the contract; their chains of events are kept. */
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";

/** Locks all requests of a contract and returns their ids. */
export async function lockRequestsOf(tx: Transaction, ctx: Context, contractId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM envelopes
    WHERE organization_id = ${ctx.organizationId} AND contract_id = ${contractId} ORDER BY id FOR UPDATE`;
  return rows.map(({ id }) => id);
}

/**
 * Called once the contract is locked too, so no request can be added: throws if one was added after `locked` was
 * read.
 */
export async function discardDraftsOf(
  tx: Transaction,
  ctx: Context,
  contractId: string,
  locked: string[],
): Promise<void> {
  const all = await tx.envelope.findMany({ where: { ...own(ctx), contractId }, select: { id: true } });
  if (all.some(({ id }) => !locked.includes(id))) {
    throw new Refusal(
      "conflict",
      "Someone has just drafted a signature request for this contract. Try again.",
    );
  }
  const of = { ...own(ctx), envelopeId: { in: locked } };
  await tx.signatureField.deleteMany({ where: of });
  await tx.signer.deleteMany({ where: of });
  await tx.envelope.deleteMany({ where: { ...own(ctx), contractId } });
}
