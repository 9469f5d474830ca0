/** How contracts are read: one SQL statement each, whose columns become the API's Contract. */
import { LRUCache } from "lru-cache";
import { isInChange, select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { type Day, dayOf } from "#lib/core/dates.ts";
import { notFound } from "#lib/core/errors.ts";
import { Gatherer } from "#lib/core/gather.ts";
import { StoredJson, serialize } from "#lib/core/serialize.ts";
import { containing, paged, rowsBefore } from "#lib/core/wire.ts";
import { allColumns, type StoredContract } from "./columns.ts";
import { Contract, type ContractQuery, contractPageSize } from "./schema.ts";

/** A contract, and what its row has that the API does not tell. */
export type ContractRow = Contract & Pick<StoredContract, Exclude<keyof StoredContract, keyof Contract>>;

/** A row as statements give it: its columns, and the names that are joined. */
export interface ReadContract extends StoredContract {
  counterpartyName: string | null;
  ownerName: string;
  ownerEmail: string;
}

const read = `${allColumns}, cp.name AS "counterpartyName", u.name AS "ownerName", u.email AS "ownerEmail"`;

const joins = `LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
  JOIN users u ON u.id = c.owner_id`;

/** Puts the joined names where the API has them: of a row that was read, as of one that was written. */
export function contractFrom({ counterpartyName, ownerName, ownerEmail, ...row }: ReadContract): ContractRow {
  return {
    ...row,
    counterparty: row.counterpartyId ? { id: row.counterpartyId, name: counterpartyName ?? "" } : null,
    owner: { id: row.ownerId, name: ownerName, email: ownerEmail },
  };
}

/** Reads one contract. */
export async function findContract(ctx: Context, id: string): Promise<ContractRow> {
  const row = isInChange()
    ? (await readRows(ctx, [id]))[0]
    : await reads.add(ctx.organizationId, { ctx, id });
  if (!row) throw notFound("contract");
  return contractFrom(row);
}

/** Those that are asked for at the same moment are read in one statement, which costs little more than one alone. */
const reads = new Gatherer(readTogether, { atOnce: 4, most: 50 });

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

/** In any order. */
async function readRows({ organizationId }: Context, ids: string[]): Promise<ReadContract[]> {
  const where = "c.organization_id = $1 AND";
  if (ids.length === 1) {
    return select<ReadContract>(`SELECT ${read} FROM contracts c ${joins} WHERE ${where} c.id = $2`, [
      organizationId,
      ids[0],
    ]);
  }
  return select<ReadContract>(
    `SELECT ${read} FROM contracts c ${joins} WHERE ${where} c.id = ANY($2::text[])`,
    [organizationId, ids],
  );
}

/** All contracts of a counterparty, the most recently active first. */
export async function contractsWith(ctx: Context, counterpartyId: string): Promise<ContractRow[]> {
  const rows = await select<ReadContract>(
    `SELECT ${read} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.counterparty_id = $2
     ORDER BY c.last_activity_at DESC, c.id DESC`,
    [ctx.organizationId, counterpartyId],
  );
  return rows.map(contractFrom);
}

/** Contracts by their ids, in that order. */
export async function contractsById(ctx: Context, ids: string[]): Promise<ContractRow[]> {
  const rows = await select<ReadContract>(
    `SELECT ${read} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.id = ANY($2::text[])`,
    [ctx.organizationId, ids],
  );
  const byId = new Map(rows.map((row) => [row.id, contractFrom(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface SortColumn {
  by: string;
  mayBeEmpty?: true;
  /** An index has this order. */
  isIndexed?: true;
}

/** What each sort compares. Of columns that may be empty, empty ones come last in both directions. */
const sortColumns: Record<ContractQuery["sort"], SortColumn> = {
  lastActivityAt: { by: "c.last_activity_at", isIndexed: true },
  createdAt: { by: "c.created_at" },
  updatedAt: { by: "c.updated_at" },
  title: { by: "lower(c.title)", isIndexed: true },
  effectiveDate: { by: "c.effective_date", mayBeEmpty: true },
  executedAt: { by: "c.executed_at", mayBeEmpty: true },
  expiresAt: { by: "c.expires_at", mayBeEmpty: true },
  statusChangedAt: { by: "c.status_changed_at" },
  valueCents: { by: "c.value_cents", mayBeEmpty: true },
};

/** A page of contracts, as printed, with the exact number of all that match. */
export async function listContracts(ctx: Context, input: ContractQuery) {
  const { where, values, isWhole } = filterOf(ctx, input);
  const total = isWhole
    ? `(SELECT contract_count FROM workspace_heads WHERE organization_id = $1)`
    : `(SELECT count(*)::int FROM contracts c WHERE ${where})`;
  const offset = rowsBefore({ page: input.page, pageSize: contractPageSize });
  const rows = await select<Stamp & { total: number }>(pageSql(input, where, total, values.length + 1), [
    ...values,
    offset,
  ]);
  const all = rows[0]?.total ?? (await count(total, values));
  const data = await printed(ctx, rows);
  return paged(data, { page: input.page, pageSize: contractPageSize, total: all });
}

/** Whether a list's filters leave anything out. */
export function isFiltered(filters: Partial<ContractQuery>): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** The ids of all that match, in order, on whatever page. */
export async function contractIds(ctx: Context, input: ContractQuery): Promise<string[]> {
  const { where, values } = filterOf(ctx, input);
  const { by, mayBeEmpty } = sortColumns[input.sort];
  const rows = await select<{ id: string }>(
    `SELECT c.id FROM contracts c WHERE ${where}
     ORDER BY ${by} ${input.dir}${mayBeEmpty ? " NULLS LAST" : ""}, c.id ${input.dir}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** How deep a page may be for reading the rows before it to cost less than a second look-up. */
const shallowPages = 20;

function pageSql(input: ContractQuery, where: string, total: string, parameter: number): string {
  const { by, mayBeEmpty, isIndexed } = sortColumns[input.sort];
  const order = `${input.dir}${mayBeEmpty ? " NULLS LAST" : ""}`;
  const range = `LIMIT ${contractPageSize} OFFSET $${parameter}::int`;
  if (isIndexed && input.page <= shallowPages) {
    return `SELECT ${stamp}, ${total} AS total FROM contracts c ${joins} WHERE ${where}
      ORDER BY ${by} ${order}, c.id ${input.dir} ${range}`;
  }
  // The ids of a deep page come from an index alone, and what has to be sorted is narrow; only the fifty rows
  // shown are then read.
  return `WITH page AS MATERIALIZED (
      SELECT c.id, ${by} AS key FROM contracts c WHERE ${where} ORDER BY ${by} ${order}, c.id ${input.dir} ${range})
    SELECT ${stamp}, ${total} AS total
    FROM page JOIN contracts c ON c.organization_id = $1 AND c.id = page.id ${joins}
    ORDER BY page.key ${order}, page.id ${input.dir}`;
}

/** All that a contract's text depends on: its revision, which every update raises, and the names it shows. */
interface Stamp {
  id: string;
  revision: number;
  counterpartyName: string | null;
  ownerName: string;
  ownerEmail: string;
}

const stamp = `c.id, c.revision, cp.name AS "counterpartyName", u.name AS "ownerName", u.email AS "ownerEmail"`;

const stampOf = (row: Stamp) =>
  `${row.id} ${row.revision} ${row.counterpartyName}\n${row.ownerName}\n${row.ownerEmail}`;

/**
 * Contracts as they were printed before, by their stamp. Fetching and printing fifty rows of 24 columns is
 * three quarters of a list's cost, and from one page to the next few of them have changed.
 */
const texts = new LRUCache<string, StoredJson>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ text }, key) => text.length + key.length,
});

async function printed(ctx: Context, stamps: Stamp[]): Promise<(StoredJson | undefined)[]> {
  const found = new Map(stamps.map((row) => [row.id, texts.get(stampOf(row))]));
  const missing = stamps.filter(({ id }) => !found.get(id)).map(({ id }) => id);
  if (missing.length > 0) {
    const rows = await select<ReadContract>(
      `SELECT ${read} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.id = ANY($2::text[])`,
      [ctx.organizationId, missing],
    );
    for (const row of rows) {
      const text = new StoredJson(serialize(Contract, contractFrom(row)));
      texts.set(stampOf(row), text);
      found.set(row.id, text);
    }
  }
  return stamps.map(({ id }) => found.get(id));
}

async function count(total: string, values: unknown[]): Promise<number> {
  const [row] = await select<{ total: number }>(`SELECT ${total} AS total`, values);
  return row?.total ?? 0;
}

/** The filters as SQL. `isWhole`: there are none, so the workspace's own count is the total. */
function filterOf(ctx: Context, input: ContractQuery) {
  const values: unknown[] = [ctx.organizationId];
  const conditions = ["c.organization_id = $1"];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const day = (date?: Date): Day | undefined => date && dayOf(date);

  add((p) => `c.status = ANY(${p}::text[])`, input.status);
  add((p) => `c.type = ANY(${p}::text[])`, input.type);
  add((p) => `c.our_role = ANY(${p}::text[])`, input.ourRole);
  add((p) => `c.owner_id = ${p}`, input.ownerId);
  add((p) => `c.counterparty_id = ${p}`, input.counterpartyId);
  add((p) => `c.auto_renews = ${p}`, input.autoRenews);
  add((p) => `c.value_currency = ANY(${p}::text[])`, input.valueCurrency);
  add((p) => `c.effective_date >= ${p}::timestamptz`, day(input.effectiveFrom));
  add((p) => `c.effective_date < ${p}::timestamptz + interval '1 day'`, day(input.effectiveTo));
  add((p) => `c.expires_at >= ${p}::date`, day(input.expiresFrom));
  add((p) => `c.expires_at <= ${p}::date`, day(input.expiresTo));
  add(
    (p) => `(c.title ILIKE ${p} OR c.counterparty_id = ANY(ARRAY(
      SELECT id FROM counterparties WHERE organization_id = $1 AND name ILIKE ${p})))`,
    input.q && containing(input.q),
  );
  return { where: conditions.join(" AND "), values, isWhole: conditions.length === 1 };
}
