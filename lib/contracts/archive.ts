/** Contracts put aside: found by their id, out of lists and numbers, and told of no more. Their terms still move. */
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import type { ContractRow } from "./rows.ts";
import { updateContract } from "./update.ts";

/** Archives a contract, or unarchives it. `look` sees it as it is before. */
export async function archiveContract(
  ctx: Context,
  id: string,
  archived: boolean,
  look?: (before: ContractRow) => void,
): Promise<ContractRow> {
  return updateContract(ctx, id, (before) => {
    look?.(before);
    if (archived && before.status === "OUT_FOR_SIGNATURE") {
      throw new Refusal("conflict", "This contract is out for signature. Void the signature request first.");
    }
    const archivedAt = archived ? (before.archivedAt ?? ctx.now.toISOString()) : null;
    return { fields: { archivedAt }, action: archived ? "CONTRACT_ARCHIVED" : "CONTRACT_UNARCHIVED" };
  });
}

/** Makes other changes and archives, or unarchives, in one change: each has its own line in the log. */
export async function archiveAfter(
  ctx: Context,
  id: string,
  archived: boolean,
  others: () => Promise<ContractRow>,
): Promise<ContractRow> {
  return change(ctx, async () => {
    await others();
    return archiveContract({ ...ctx, expected: null }, id, archived);
  });
}
