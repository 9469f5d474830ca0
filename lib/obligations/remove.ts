import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";

/** Those of a contract that is deleted go with it, and no one is told of each. */
export async function removeObligationsOf(tx: Transaction, ctx: Context, contractId: string): Promise<void> {
  await tx.obligation.deleteMany({ where: { ...own(ctx), contractId } });
}
