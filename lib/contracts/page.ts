/** How the ids of a list's page are found: in the order of an index, or by sorting what is found, whichever is less work. */
import type { Context } from "#lib/core/context.ts";
import { keyIn } from "#lib/custom-fields/catalogue.ts";
import { fieldOrder } from "#lib/custom-fields/filter.ts";
import type { CustomFieldSort } from "#lib/custom-fields/schema.ts";
import type { FilterSql } from "./filter.ts";
import type { ContractQuery } from "./schema.ts";

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
export interface Sorted extends SortColumn {
  sort: ContractQuery["sort"];
  dir: Direction;
  /** Those that a statement has after the filter's. */
  values: unknown[];
}

export async function sortedBy(
  ctx: Context,
  { sort, dir }: ContractQuery,
  filter: FilterSql,
): Promise<Sorted> {
  const key = keyIn(sort);
  const values: unknown[] = [];
  if (key === undefined) return { sort, dir, values, ...sortColumns[sort as ColumnSort] };
  const place = (value: unknown) => `$${filter.values.length + values.push(value)}`;
  return { sort, dir, values, mayBeEmpty: true, ...(await fieldOrder(ctx, key, place)) };
}

export const directionOf = ({ dir, mayBeEmpty }: Sorted) =>
  `${dir}${mayBeEmpty ? " NULLS LAST" : ""}` as const;

export interface Page {
  offset: number;
  limit: number;
  /** How many match, and how many there are. */
  total: number;
  all: number;
}

/** Statements that each read a page's ids, the quickest first: where one does not have them all, the next one does. */
export function waysTo(sorted: Sorted, filter: FilterSql, page: Page): string[] {
  const { only } = filter;
  if (only && isByActivity(sorted) && !only.isList) return [inOrder(sorted, filter, page)];
  if (only && isByActivity(sorted) && page.offset < mostMerged) return [merged(sorted, filter, only, page)];
  // Where all match, none is read in vain.
  if (page.total === page.all) return [inOrder(sorted, filter, page)];
  const isBounded = canLookAhead(sorted, filter, page);
  const most = mostRead(sorted, filter, page, isBounded);
  if (toRead(page) > most) return [collected(sorted, filter, page)];
  if (!isBounded) return [inOrder(sorted, filter, page)];
  const looks = looksAhead(sorted, filter, page, most);
  const among = looks.filter((one) => one < page.all).map((one) => amongFirst(sorted, filter, page, one));
  // A limit that reaches everything leaves nothing out, and makes reading the index half as long again.
  return [...among, (among.length < looks.length ? inOrder : collected)(sorted, filter, page)];
}

export const isByActivity = ({ sort }: Sorted) => sort === "lastActivityAt";

/**
 * So many rows, or entries of an index, are read in the time in which one that matches is found elsewhere and sorted: by
 * columns, by letters, or by both, where what has the letters is found first and then left out again.
 */
const rowsToAFound = { columns: 1, letters: 4, both: 8 };
const entriesToAFound = { columns: 8, letters: 8, both: 24 };

/** How many contracts, at most, are read in the time in which all that match are found and sorted. */
function mostRead(sorted: Sorted, filter: FilterSql, { total }: Page, isBounded: boolean): number {
  const { isBesideActivity, isSearch, isSearchAlone } = filter;
  // What may stand anywhere is not read for long.
  if (isSearch && !isBounded) return total;
  const toAFound = isByActivity(sorted) && isBesideActivity ? entriesToAFound : rowsToAFound;
  return total * toAFound[!isSearch ? "columns" : isSearchAlone ? "letters" : "both"];
}

/** How many of an index would have to be read for a page, as far as those that match are spread evenly over it. */
const toRead = ({ offset, limit, total, all }: Page) =>
  (Math.min(offset + limit, total - offset) * all) / total;

/**
 * Whether it can be bounded how many contracts are read for a page: what a filter finds may stand further back than if it
 * were spread evenly, as drafts do behind all that was ever signed. Of an index that has all columns that are compared much
 * is quickly read.
 */
function canLookAhead(sorted: Sorted, filter: FilterSql, page: Page): boolean {
  const { isBesideActivity, isSearch, standsTogether } = filter;
  const isQuick = isByActivity(sorted) && isBesideActivity && !isSearch && !standsTogether;
  const isFromSecondPart = isInParts(sorted) && nearerEnd(sorted, page).isFromEnd;
  return !isQuick && sorted.join === undefined && !isFromSecondPart;
}

/** How much further a second look goes than the first. */
const further = 10;

/**
 * In an order by time what is found by its days stands together, and contracts are read there one beside the other: so many
 * for one that is found, and finding all would still take longer.
 */
const toATogether = 3;

/** How many contracts are read for a page, and how many where these are too few. */
function looksAhead(sorted: Sorted, { standsTogether }: FilterSql, page: Page, most: number): number[] {
  const first = Math.ceil(toRead(page) * 1.25) + 1000;
  if (standsTogether && isByTime(sorted)) return [Math.max(first, toATogether * page.total)];
  return first * further < most ? [first, first * further] : [first];
}

const isByTime = ({ sort }: Sorted) => ["lastActivityAt", "createdAt", "updatedAt"].includes(sort);

/** What matches among the first of the index, which are read no further than the page; of a list in parts, the first part. */
function amongFirst(sorted: Sorted, filter: FilterSql, page: Page, most: number): string {
  const { dir, skipped } = nearerEnd(sorted, page);
  const conditions = [filter.within, ...(filter.narrowed[sorted.sort] ?? [])];
  const where = [...conditions, ...(isInParts(sorted) ? [`${sorted.by} IS NOT NULL`] : [])].join(" AND ");
  const first = firstOf(sorted, filter, { columns: "c.*", where, dir, most });
  return ids(first, filter.asked, "c.key", dir, page.limit, skipped);
}

interface First {
  /** What is read of each. */
  columns: "c.*" | "c.id";
  where: string;
  dir: Direction;
  most: number | string;
}

/**
 * The first contracts c of an order, and what it compares as c.key. Those that are archived and those that are not, and those
 * of each half-year, have an order of their own in an index, which PostgreSQL merges as it reads them: a limit of all does not
 * reach them, so each has one.
 */
function firstOf({ by }: Sorted, { parts }: FilterSql, { columns, where, dir, most }: First): string {
  const end = `ORDER BY key ${dir}, c.id ${dir} LIMIT ${most}`;
  const [first = "", ...more] = parts.map(
    (part) => `(SELECT ${columns}, ${by} AS key FROM contracts c WHERE ${part} AND ${where} ${end})`,
  );
  return more.length > 0
    ? `(SELECT * FROM (${[first, ...more].join(" UNION ALL ")}) c ${end}) c`
    : `${first} c`;
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
  sorted: Sorted,
  filter: FilterSql,
  { sql, parameter }: NonNullable<FilterSql["only"]>,
  page: Page,
): string {
  const { dir } = sorted;
  const where = `${filter.within} AND c.${sql} = wanted.value`;
  const most = page.offset + page.limit;
  return `SELECT c.id FROM unnest(${parameter}::text[]) AS wanted (value),
      LATERAL ${firstOf(sorted, filter, { columns: "c.id", where, dir, most })}
    ORDER BY c.key ${dir}, c.id ${dir} LIMIT ${page.limit} OFFSET ${page.offset}`;
}

/** Which end of an index is nearer to a page, and how many that match stand before it there. */
function nearerEnd({ dir }: Sorted, { offset, limit, total }: Page) {
  const isFromEnd = offset > total / 2;
  const skipped = isFromEnd ? total - offset - limit : offset;
  return { isFromEnd, skipped, dir: isFromEnd ? opposite(dir) : dir };
}

/** In the order of an index, from whichever end is nearer. */
function inOrder(sorted: Sorted, filter: FilterSql, page: Page): string {
  const { limit } = page;
  const { isFromEnd, skipped, dir } = nearerEnd(sorted, page);
  const { by, join = "", isFull = `${by} IS NOT NULL`, isEmpty = `${by} IS NULL` } = sorted;
  const read = (condition: string, by: string, limit: number | string, offset: number | string) => {
    const where = `${filter.within} AND ${filter.asked} AND ${condition}`;
    const [part, ...more] = join ? ["true"] : filter.parts;
    if (more.length === 0) {
      return ids(`${filter.contracts} ${join}`, `${part} AND ${where}`, by, dir, limit, offset);
    }
    const first = firstOf(sorted, filter, { columns: "c.id", where, dir, most: `(${limit}) + (${offset})` });
    return ids(first, "true", "c.key", dir, limit, offset);
  };
  if (!isInParts(sorted)) return read("true", by, limit, skipped);
  const full = { condition: isFull, by };
  const empty = { condition: isEmpty, by: join ? "c.id" : by };
  const [first, second] = isFromEnd ? [empty, full] : [full, empty];
  // The second part begins where the first one ends, which is counted only
  // where a page reaches beyond it.
  return `WITH first AS MATERIALIZED (${read(first.condition, first.by, limit, skipped)}),
    earlier AS MATERIALIZED (SELECT CASE WHEN (SELECT count(*) FROM first) = 0
      THEN ${skipped} - (SELECT count(*) FROM (${read(first.condition, first.by, skipped, 0)}) e) ELSE 0 END AS skipped)
    SELECT id FROM first UNION ALL
    (${read(
      second.condition,
      second.by,
      `${limit} - (SELECT count(*) FROM first)`,
      "(SELECT skipped FROM earlier)",
    )}) LIMIT ${limit}`;
}

const opposite = (dir: Direction): Direction => (dir === "asc" ? "desc" : "asc");

/** Descending, an index has empty columns first; that of what stands beside the contracts does not have them. */
export const isInParts = ({ mayBeEmpty, join, dir }: Sorted) =>
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
