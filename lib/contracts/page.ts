/** Finds the ids of a list's page: in index order, or by sorting the matches, whichever costs less. */
import type { Context } from "#lib/core/context.ts";
import { keyIn } from "#lib/custom-fields/catalogue.ts";
import { fieldOrder } from "#lib/custom-fields/filter.ts";
import type { CustomFieldSort } from "#lib/custom-fields/schema.ts";
import type { FilterSql } from "./filter.ts";
import type { ContractQuery } from "./schema.ts";

interface SortColumn {
  by: string;
  mayBeEmpty?: true;
  /**
   * For a sort column outside the contracts table: its join, and the conditions for rows with and without a value.
   */
  join?: string;
  isFull?: string;
  isEmpty?: string;
}

type ColumnSort = Exclude<ContractQuery["sort"], CustomFieldSort>;

/** The expression of each sort; each has an index, with the id. Empty values come last in both directions. */
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

/** A list's order: expression and direction. */
export interface Sorted extends SortColumn {
  sort: ContractQuery["sort"];
  dir: Direction;
  /** Parameters that a statement has after the filter's. */
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
  /** The number of matches, and of all contracts in the list. */
  total: number;
  all: number;
}

/** Returns statements that read a page's ids, fastest first: if one returns too few, try the next. */
export function pageQueries(sorted: Sorted, filter: FilterSql, page: Page): string[] {
  const { only } = filter;
  if (only && isByActivity(sorted) && !only.isList) return [orderedQuery(sorted, filter, page)];
  if (only && isByActivity(sorted) && page.offset < maxMergedRows)
    return [mergedQuery(sorted, filter, only, page)];
  // If all match, no row is read in vain.
  if (page.total === page.all) return [orderedQuery(sorted, filter, page)];
  const isBounded = canLookAhead(sorted, filter, page);
  const most = maxRowsRead(sorted, filter, page, isBounded);
  if (toRead(page) > most) return [collectedQuery(sorted, filter, page)];
  if (!isBounded) return [orderedQuery(sorted, filter, page)];
  const looks = lookAheadLimits(sorted, filter, page, most);
  const among = looks.filter((one) => one < page.all).map((one) => amongFirst(sorted, filter, page, one));
  // A limit that covers all contracts excludes none, and makes reading the index half as slow again.
  return [...among, (among.length < looks.length ? orderedQuery : collectedQuery)(sorted, filter, page)];
}

export const isByActivity = ({ sort }: Sorted) => sort === "lastActivityAt";

/**
 * The number of rows, or index entries, that can be read in the time it takes to find and sort one match: by
 * columns, by search text, or by both, where rows found by text are then filtered again.
 */
const rowsPerMatch = { columns: 1, letters: 4, both: 8 };
const entriesPerMatch = { columns: 8, letters: 8, both: 24 };

/** Returns the most contracts that can be read in the time it takes to find and sort all matches. */
function maxRowsRead(sorted: Sorted, filter: FilterSql, { total }: Page, isBounded: boolean): number {
  const { isBesideActivity, isSearch, isSearchAlone } = filter;
  // Matches that may be anywhere are not worth a long read.
  if (isSearch && !isBounded) return total;
  const toAFound = isByActivity(sorted) && isBesideActivity ? entriesPerMatch : rowsPerMatch;
  return total * toAFound[!isSearch ? "columns" : isSearchAlone ? "letters" : "both"];
}

/** Returns the number of index entries that a page has to read if matches are spread evenly. */
const toRead = ({ offset, limit, total, all }: Page) =>
  (Math.min(offset + limit, total - offset) * all) / total;

/**
 * Whether to limit how many contracts are read for a page: matches may be further back than if they were spread
 * evenly, as drafts are behind everything ever signed. An index that has all compared columns is fast enough without
 * a limit.
 */
function canLookAhead(sorted: Sorted, filter: FilterSql, page: Page): boolean {
  const { isBesideActivity, isSearch, isClustered } = filter;
  const isQuick = isByActivity(sorted) && isBesideActivity && !isSearch && !isClustered;
  const isFromSecondPart = isInParts(sorted) && nearerEnd(sorted, page).isFromEnd;
  return !isQuick && sorted.join === undefined && !isFromSecondPart;
}

/** The factor by which the second attempt reads further than the first. */
const lookAheadFactor = 10;

/**
 * In an order by time, contracts that match by day or tag are close together and read from adjacent pages: this many
 * are read per match before finding all matches would be faster.
 */
const toATogether = 3;

/** Returns the number of contracts to read for a page, and the number to read if those are too few. */
function lookAheadLimits(sorted: Sorted, { isClustered }: FilterSql, page: Page, most: number): number[] {
  const first = Math.ceil(toRead(page) * 1.25) + 1000;
  if (isClustered && isByTime(sorted)) return [Math.max(first, toATogether * page.total)];
  return first * lookAheadFactor < most ? [first, first * lookAheadFactor] : [first];
}

const isByTime = ({ sort }: Sorted) => ["lastActivityAt", "createdAt", "updatedAt"].includes(sort);

/**
 * Finds the matches among the first rows of the index, read no further than the page needs; for a list in two
 * parts, of the first part.
 */
function amongFirst(sorted: Sorted, filter: FilterSql, page: Page, most: number): string {
  const { dir, skipped } = nearerEnd(sorted, page);
  const conditions = [filter.within, ...(filter.narrowed[sorted.sort] ?? [])];
  const where = [...conditions, ...(isInParts(sorted) ? [`${sorted.by} IS NOT NULL`] : [])].join(" AND ");
  const first = firstOf(sorted, filter, { columns: "c.*", where, dir, most });
  return ids(first, filter.asked, "c.key", dir, page.limit, skipped);
}

interface First {
  /** The columns read of each. */
  columns: "c.*" | "c.id";
  where: string;
  dir: Direction;
  most: number | string;
}

/**
 * Returns the first contracts c of an order, with the sort value as c.key. An index orders archived and other
 * contracts, and each half-year, separately, and PostgreSQL merges them as it reads. A limit on the whole
 * does not reach the parts, so each part has one.
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

/** For few matches: finds all, then sorts them. OFFSET 0 keeps the two steps apart. */
function collectedQuery(sorted: Sorted, { from, where }: FilterSql, { offset, limit }: Page): string {
  const { by, dir, join = "" } = sorted;
  return `SELECT id FROM (
      SELECT c.id, ${by} AS key FROM ${from} ${join} WHERE ${where} OFFSET 0) matching
    ORDER BY key ${directionOf(sorted)}, id ${dir} LIMIT ${limit} OFFSET ${offset}`;
}

/** The most rows before a page to read for each value of a filter. */
const maxMergedRows = 10_000;

/** A filter with several values: an index has the matches of each value in order. */
function mergedQuery(
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

/** Returns the end of the index nearer to the page, and how many matches precede the page from there. */
function nearerEnd({ dir }: Sorted, { offset, limit, total }: Page) {
  const isFromEnd = offset > total / 2;
  const skipped = isFromEnd ? total - offset - limit : offset;
  return { isFromEnd, skipped, dir: isFromEnd ? opposite(dir) : dir };
}

/** Reads in index order, from whichever end is nearer. */
function orderedQuery(sorted: Sorted, filter: FilterSql, page: Page): string {
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
  // The second part begins where the first one ends, which is counted only if a page reaches beyond the first.
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

/** Descending indexes have empty values first; a joined table has no rows for them at all. */
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
