import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";

/** Deletes the obligations of a contract that is deleted, without announcing each. */
export async function removeObligationsOf(tx: Transaction, ctx: Context, contractId: string): Promise<void> {
  await tx.obligation.deleteMany({ where: { ...own(ctx), contractId } });
}
