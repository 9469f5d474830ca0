/** How a contract goes: with its documents, and what was read out of them. */
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";

/** What points to it from elsewhere has gone before. */
export async function removeContract(tx: Transaction, ctx: Context, id: string): Promise<void> {
  await tx.documentVersion.deleteMany({ where: { ...own(ctx), contractId: id } });
  await tx.contract.delete({ where: { organizationId_id: { ...own(ctx), id } } });
}
