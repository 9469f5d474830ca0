/** Reads contracts: one SQL statement each, whose columns become the API's Contract. */

import { Batcher } from "#lib/core/batches/batcher.ts";
import { isInChange, select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { type FieldKeys, fieldKeys, shownValues } from "#lib/custom-fields/values.ts";
import { allColumns, type StoredContract } from "./columns.ts";
import type { Contract } from "./schema.ts";

/** A contract, plus what its row has that the API does not return. */
export type ContractRow = Contract &
  Pick<StoredContract, Exclude<keyof StoredContract, keyof Contract>> & { fieldKeys: FieldKeys };

/** A row as statements return it: its columns, the joined names, and the keys of the workspace's custom fields. */
export interface ReadContract extends StoredContract {
  fieldKeys: FieldKeys;
  counterpartyName: string | null;
  ownerName: string;
  ownerEmail: string;
}

const read = `${allColumns}, cp.name AS "counterpartyName", u.name AS "ownerName", u.email AS "ownerEmail", ${fieldKeys}`;

/** The joins of a SELECT from `contracts c` for the names. */
export const joins = `LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
  JOIN users u ON u.id = c.owner_id`;

/**
 * Contracts by their ids, with names. OFFSET 0 finds them before the joins: otherwise PostgreSQL, to join owners in
 * order, may read a whole workspace from an index that has the owner first and the id last.
 */
const byIds = `(SELECT * FROM contracts WHERE organization_id = $1 AND id = ANY($2::text[]) OFFSET 0) c ${joins}`;

/** Moves the joined names to where the API has them, for rows read and rows written. */
export function contractFrom({ counterpartyName, ownerName, ownerEmail, ...row }: ReadContract): ContractRow {
  return {
    ...row,
    customFields: shownValues(row.fieldKeys, row.fieldValues),
    counterparty: row.counterpartyId ? { id: row.counterpartyId, name: counterpartyName ?? "" } : null,
    owner: { id: row.ownerId, name: ownerName, email: ownerEmail },
  };
}

/** Reads one contract. */
export async function findContract(ctx: Context, id: string): Promise<ContractRow> {
  const row = isInChange()
    ? (await readRows(ctx, [id]))[0]
    : await readBatcher.add(ctx.organizationId, { ctx, id });
  if (!row) throw notFound("contract");
  return contractFrom(row);
}

/** Reads requested at the same moment share one statement, which costs little more than a single read. */
const readBatcher = new Batcher(readTogether, { atOnce: 4, most: 50 });

async function readTogether(
  batch: { ctx: Context; id: string }[],
): Promise<(() => ReadContract | undefined)[]> {
  const rows = await readRows(
    batch[0]!.ctx,
    batch.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return batch.map(
    ({ id }) =>
      () =>
        byId.get(id),
  );
}

/** Returns the rows in any order. */
async function readRows({ organizationId }: Context, ids: string[]): Promise<ReadContract[]> {
  const [statement, what] =
    ids.length === 1
      ? [`SELECT ${read} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.id = $2`, ids[0]]
      : [`SELECT ${read} FROM ${byIds}`, ids];
  return select<ReadContract>(statement, [organizationId, what]);
}

/** Returns all contracts of a counterparty, most recently active first. */
export async function contractsWith(ctx: Context, counterpartyId: string): Promise<ContractRow[]> {
  const rows = await select<ReadContract>(
    `SELECT ${read} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.counterparty_id = $2
     ORDER BY c.last_activity_at DESC, c.id DESC`,
    [ctx.organizationId, counterpartyId],
  );
  return rows.map(contractFrom);
}

/** Returns contracts by id, in the order given. */
export async function contractsById(ctx: Context, ids: string[]): Promise<ContractRow[]> {
  const rows = await select<ReadContract>(`SELECT ${read} FROM ${byIds}`, [ctx.organizationId, ids]);
  const byId = new Map(rows.map((row) => [row.id, contractFrom(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
