/** A page of contracts, and the exact number of all that match, at a price that hardly grows with the workspace. */
import { LRUCache } from "lru-cache";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { StoredJson, serialize } from "#lib/core/serialize.ts";
import { paged, rowsBefore } from "#lib/core/wire.ts";
import { keyIn } from "#lib/custom-fields/catalogue.ts";
import { fieldOrder } from "#lib/custom-fields/filter.ts";
import type { CustomFieldSort } from "#lib/custom-fields/schema.ts";
import { fieldsStamp } from "#lib/custom-fields/values.ts";
import { type FilterSql, filterOf, searched } from "./filter.ts";
import { contractsById, joins } from "./rows.ts";
import { Contract, type ContractQuery, contractPageSize } from "./schema.ts";
import { counted, countedAnew } from "./totals/totals.ts";

interface SortColumn {
  by: string;
  mayBeEmpty?: true;
  /** Of what stands beside the contracts, and how one with and without it are told. */
  join?: string;
  isFull?: string;
  isEmpty?: string;
}

type ColumnSort = Exclude<ContractQuery["sort"], CustomFieldSort>;

/** What each sort compares: an index has each, with the id. Empty columns come last in both directions. */
const sortColumns: Record<ColumnSort, SortColumn> = {
  lastActivityAt: { by: "c.last_activity_at" },
  createdAt: { by: "c.created_at" },
  updatedAt: { by: "c.updated_at" },
  title: { by: "lower(c.title)" },
  effectiveDate: { by: "c.effective_date", mayBeEmpty: true },
  executedAt: { by: "c.executed_at", mayBeEmpty: true },
  expiresAt: { by: "c.expires_at", mayBeEmpty: true },
  statusChangedAt: { by: "c.status_changed_at" },
  valueCents: { by: "c.value_cents", mayBeEmpty: true },
};

type Direction = ContractQuery["dir"];

/** A list's order: what is compared, and in which direction. */
interface Sorted extends SortColumn {
  sort: ContractQuery["sort"];
  dir: Direction;
  /** Those that a statement has after the filter's. */
  values: unknown[];
}

async function sortedBy(ctx: Context, { sort, dir }: ContractQuery, filter: FilterSql): Promise<Sorted> {
  const key = keyIn(sort);
  const values: unknown[] = [];
  if (key === undefined) return { sort, dir, values, ...sortColumns[sort as ColumnSort] };
  const place = (value: unknown) => `$${filter.values.length + values.push(value)}`;
  return { sort, dir, values, mayBeEmpty: true, ...(await fieldOrder(ctx, key, place)) };
}

const directionOf = ({ dir, mayBeEmpty }: Sorted) => `${dir}${mayBeEmpty ? " NULLS LAST" : ""}` as const;

/** A page of contracts, as printed, with the exact number of all that match. */
export async function listContracts(ctx: Context, input: ContractQuery) {
  const filter = await filterOf(ctx, input);
  const sorted = await sortedBy(ctx, input, filter);
  const offset = rowsBefore({ page: input.page, pageSize: contractPageSize });
  const { stamps, total } = await (filter.isWhole && input.page <= shallowPages && !isInParts(sorted)
    ? shallowPage(sorted, filter, offset)
    : anyPage(ctx, sorted, filter, offset));
  const data = await printed(ctx, stamps);
  return paged(data, { page: input.page, pageSize: contractPageSize, total });
}

/** The ids of all that match, in order, on whatever page. */
export async function contractIds(ctx: Context, input: ContractQuery): Promise<string[]> {
  const filter = await filterOf(ctx, input);
  const { from, where, values } = filter;
  const sorted = await sortedBy(ctx, input, filter);
  const { by, dir, join = "" } = sorted;
  const rows = await select<{ id: string }>(
    `SELECT c.id FROM ${from} ${join} WHERE ${where} ORDER BY ${by} ${directionOf(sorted)}, c.id ${dir}`,
    [...values, ...sorted.values],
  );
  return rows.map(({ id }) => id);
}

/** All that a contract's text depends on: its revision, which every update raises, and the names and fields it shows. */
interface Stamp {
  id: string;
  revision: number;
  counterpartyName: string | null;
  ownerName: string;
  ownerEmail: string;
  fieldsStamp: string | null;
}

const stamp = `c.id, c.revision, cp.name AS "counterpartyName", u.name AS "ownerName", u.email AS "ownerEmail",
  ${fieldsStamp}`;

/** How deep a page may be for reading the rows before it to cost less than a second look-up. */
const shallowPages = 20;

/** The first pages of all contracts, which most requests are for: one statement, planned once. */
async function shallowPage({ by, dir }: Sorted, { where, values, total }: FilterSql, offset: number) {
  const stamps = await select<Stamp & { total: number }>(
    `SELECT ${stamp}, ${total} AS total FROM contracts c ${joins} WHERE ${where}
     ORDER BY ${by} ${dir}, c.id ${dir} LIMIT ${contractPageSize} OFFSET $2::int`,
    [...values, offset],
  );
  if (stamps[0]) return { stamps, total: stamps[0].total };
  const [row] = await select<{ total: number }>(`SELECT ${total} AS total`, values);
  return { stamps, total: row?.total ?? 0 };
}

/**
 * Any other page: its total first, for how many match decides how they are found. Statements are planned for their
 * values, since what suits a filter that finds half of the contracts takes seconds for one that finds none.
 */
async function anyPage(ctx: Context, sorted: Sorted, filter: FilterSql, offset: number) {
  const { values, total: totalSql, all: allSql } = filter;
  const anew = await countedAnew(ctx, filter);
  const counting = `SELECT ${anew ?? totalSql} AS total, ${allSql} AS "all"`;
  const asked = anew === null ? values : [ctx.organizationId];
  const count = () => select<Omit<Page, "offset" | "limit">>(counting, asked, "with its values");
  const [counts] = await counted(ctx, filter, count);
  const { total, all } = counts ?? { total: 0, all: 0 };
  if (offset >= total) return { stamps: [], total };
  const page = { offset, limit: Math.min(contractPageSize, total - offset), total, all };
  const { by, dir, join = "" } = sorted;
  // The ids come from an index alone, and what has to be sorted is narrow; only the fifty rows shown are then read.
  const read = (ids: string) =>
    select<Stamp>(
      `WITH page AS MATERIALIZED (${ids})
       SELECT ${stamp} FROM page JOIN contracts c ON c.organization_id = $1 AND c.id = page.id ${joins} ${join}
       ORDER BY ${by} ${directionOf(sorted)}, c.id ${dir}`,
      [...values, ...sorted.values],
      "with its values",
    );
  const most = mostBefore(sorted, filter, page);
  const stamps = most === null ? [] : await read(amongFirst(sorted, filter, page, most));
  // Where those that match stand further back than others, they were not all among those looked at.
  const isAll = most !== null && stamps.length === page.limit;
  return { stamps: isAll ? stamps : await read(idsSql(sorted, filter, page)), total };
}

interface Page {
  offset: number;
  limit: number;
  /** How many match, and how many there are. */
  total: number;
  all: number;
}

/** How many entries of an index cost as much as a row of the table. */
const entriesToARow = 8;

function idsSql(sorted: Sorted, filter: FilterSql, page: Page): string {
  const { only } = filter;
  const isByActivity = sorted.sort === "lastActivityAt";
  if (only && isByActivity && !only.isList) return inOrder(sorted, filter, page);
  if (only && isByActivity && page.offset < mostMerged) return merged(sorted, filter, only, page);
  const read = toRead(page);
  const cost = isByActivity && filter.isBesideActivity ? read / entriesToARow : read;
  return !filter.isWhole && page.total < cost
    ? collected(sorted, filter, page)
    : inOrder(sorted, filter, page);
}

/** How many of an index would have to be read for a page, as far as those that match are spread evenly over it. */
const toRead = ({ offset, limit, total, all }: Page) =>
  (Math.min(offset + limit, total - offset) * all) / total;

/** If more entries of an index than these are to be read for each that is found, it is quicker to look all found ones up. */
const mostReadToAFound = 8;

/**
 * Of how many contracts from the beginning of the index those that match are to be picked; null where there is a better
 * way: so few are to be read that each is looked up, or so many that those that match are.
 */
function mostBefore(sorted: Sorted, { isSearch }: FilterSql, page: Page): number | null {
  const read = toRead(page);
  if (!isSearch || isInParts(sorted) || read < page.total) return null;
  const most = Math.ceil(read * 1.25) + 1000;
  return most < page.total * mostReadToAFound ? most : null;
}

/** All that match are found, without being looked up: those stand first that are among the first of the index. */
function amongFirst(sorted: Sorted, filter: FilterSql, page: Page, most: number): string {
  const { by } = sorted;
  const { dir, skipped } = nearerEnd(sorted, page);
  const first = `(SELECT c.* FROM ${filter.contracts} WHERE ${filter.within}
    ORDER BY ${by} ${dir}, c.id ${dir} LIMIT ${most}) c`;
  return ids(searched(first), filter.where, by, dir, page.limit, skipped);
}

/** Those that match are few: all are found, and then sorted. OFFSET 0 keeps the two steps apart. */
function collected(sorted: Sorted, { from, where }: FilterSql, { offset, limit }: Page): string {
  const { by, dir, join = "" } = sorted;
  return `SELECT id FROM (
      SELECT c.id, ${by} AS key FROM ${from} ${join} WHERE ${where} OFFSET 0) matching
    ORDER BY key ${directionOf(sorted)}, id ${dir} LIMIT ${limit} OFFSET ${offset}`;
}

/** How many rows before a page are read once for each value of a filter. */
const mostMerged = 10_000;

/** A filter of several values: an index has those of each in order. */
function merged(
  { by, dir }: Sorted,
  { contracts, within }: FilterSql,
  { sql, parameter }: NonNullable<FilterSql["only"]>,
  page: Page,
): string {
  const order = (table: string) => `ORDER BY ${table}key ${dir}, ${table}id ${dir}`;
  return `SELECT one.id FROM unnest(${parameter}::text[]) AS wanted (value), LATERAL (
      SELECT c.id, ${by} AS key FROM ${contracts} WHERE ${within} AND c.${sql} = wanted.value
      ORDER BY ${by} ${dir}, c.id ${dir} LIMIT ${page.offset + page.limit}) one
    ${order("one.")} LIMIT ${page.limit} OFFSET ${page.offset}`;
}

/** Which end of an index is nearer to a page, and how many that match stand before it there. */
function nearerEnd({ dir }: Sorted, { offset, limit, total }: Page) {
  const isFromEnd = offset > total / 2;
  const skipped = isFromEnd ? total - offset - limit : offset;
  return { isFromEnd, skipped, dir: isFromEnd ? opposite(dir) : dir };
}

/** In the order of an index, from whichever end is nearer. */
function inOrder(sorted: Sorted, { from, where }: FilterSql, page: Page): string {
  const { limit } = page;
  const { isFromEnd, skipped, dir } = nearerEnd(sorted, page);
  const { by, join = "", isFull = `${by} IS NOT NULL`, isEmpty = `${by} IS NULL` } = sorted;
  const source = `${from} ${join}`;
  if (!isInParts(sorted)) return ids(source, where, by, dir, limit, skipped);
  const full = { where: `${where} AND ${isFull}`, by };
  const empty = { where: `${where} AND ${isEmpty}`, by: join ? "c.id" : by };
  const [first, second] = isFromEnd ? [empty, full] : [full, empty];
  // The second part begins where the first one ends, which is counted only
  // where a page reaches beyond it.
  return `WITH first AS MATERIALIZED (${ids(source, first.where, first.by, dir, limit, skipped)})
    SELECT id FROM first UNION ALL
    (${ids(
      source,
      second.where,
      second.by,
      dir,
      `${limit} - (SELECT count(*) FROM first)`,
      `CASE WHEN (SELECT count(*) FROM first) = 0
        THEN ${skipped} - (SELECT count(*) FROM (${ids(source, first.where, first.by, dir, skipped, 0)}) earlier) ELSE 0 END`,
    )}) LIMIT ${limit}`;
}

const opposite = (dir: Direction): Direction => (dir === "asc" ? "desc" : "asc");

/** Descending, an index has empty columns first; that of what stands beside the contracts does not have them. */
const isInParts = ({ mayBeEmpty, join, dir }: Sorted) =>
  join !== undefined || (mayBeEmpty === true && dir === "desc");

const ids = (
  from: string,
  where: string,
  by: string,
  dir: Direction,
  limit: number | string,
  offset: number | string,
) =>
  `SELECT c.id FROM ${from} WHERE ${where} ORDER BY ${by} ${dir}, c.id ${dir} LIMIT ${limit} OFFSET ${offset}`;

const stampOf = (row: Stamp) =>
  `${row.id} ${row.revision} ${row.counterpartyName}\n${row.ownerName}\n${row.ownerEmail}\n${row.fieldsStamp}`;

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
    const stampsById = new Map(stamps.map((row) => [row.id, row]));
    for (const contract of await contractsById(ctx, missing)) {
      const text = new StoredJson(serialize(Contract, contract));
      texts.set(stampOf(stampsById.get(contract.id)!), text);
      found.set(contract.id, text);
    }
  }
  return stamps.map(({ id }) => found.get(id));
}
