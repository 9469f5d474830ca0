/** Archived contracts are found by id, but left out of lists, counts and notifications. Their terms still advance. */
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import type { ContractRow } from "./rows.ts";
import { updateContract } from "./update.ts";

/** Archives or unarchives a contract. `look` receives the contract as it was before. */
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

/** Makes other changes, then archives or unarchives, in one transaction; each has its own log entry. */
export async function archiveAfter(
  ctx: Context,
  id: string,
  archived: boolean,
  others: () => Promise<ContractRow>,
): Promise<ContractRow> {
  return change(ctx, async () => {
    await others();
    return archiveContract({ ...ctx, ifMatch: null }, id, archived);
  });
}
