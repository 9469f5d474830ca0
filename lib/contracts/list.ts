/**
 * Reads a page of contracts and the exact total of matches, at a cost that hardly grows with the workspace.
 */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { SerializedRowCache, StoredJson, serialize } from "#lib/core/serialize.ts";
import { paged, pageOffset } from "#lib/core/wire.ts";
import { fieldsStamp } from "#lib/custom-fields/values.ts";
import { type FilterSql, filterOf } from "./filter.ts";
import {
  directionOf,
  isByActivity,
  isInParts,
  type Page,
  pageQueries,
  type Sorted,
  sortedBy,
} from "./page.ts";
import { contractsById, joins } from "./rows.ts";
import { Contract, type ContractQuery, contractPageSize } from "./schema.ts";
import type { HalfYears } from "./totals/days.ts";
import { countAndStore, countIfUnknown } from "./totals/totals.ts";

/** Returns a page of contracts, already serialized, with the exact total of matches. */
export async function listContracts(ctx: Context, input: ContractQuery) {
  const filter = await filterOf(ctx, input);
  const sorted = await sortedBy(ctx, input, filter);
  const offset = pageOffset({ page: input.page, pageSize: contractPageSize });
  const { stamps, total } = await (filter.isWhole && input.page <= shallowPages && !isInParts(sorted)
    ? shallowPage(sorted, filter, offset)
    : anyPage(ctx, sorted, filter, offset));
  const data = await printed(ctx, stamps);
  return paged(data, { page: input.page, pageSize: contractPageSize, total });
}

/** Returns the ids of all matches, in order, across pages. */
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

/**
 * Everything that a contract's serialized text depends on: its revision, which every update increments, and the
 * joined names and fields.
 */
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

/** The page up to which reading the preceding rows costs less than a second query. */
const shallowPages = 20;

/** Reads the first pages of an unfiltered list, which most requests ask for: one statement, planned once. */
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
 * Reads any other page. The total comes first, because the number of matches decides how to find them.
 * Statements are planned for their values: a plan that suits a filter matching half of the contracts takes
 * seconds for one that matches none.
 */
async function anyPage(ctx: Context, sorted: Sorted, filter: FilterSql, offset: number) {
  const { values } = filter;
  const { total, ...counts } = await countsOf(ctx, sorted, filter);
  if (offset >= total) return { stamps: [], total };
  const limit = Math.min(contractPageSize, total - offset);
  const [parted, all] = inHalfYears(filter, { total, ...counts });
  const page = { offset, limit, total, all };
  const { by, dir, join = "" } = sorted;
  // The ids come from an index alone, so sorting handles narrow rows; only the fifty rows shown are then read in
  // full.
  const read = (ids: string) =>
    select<Stamp>(
      `WITH page AS MATERIALIZED (${ids})
       SELECT ${stamp} FROM page JOIN contracts c ON c.organization_id = $1 AND c.id = page.id ${joins} ${join}
       ORDER BY ${by} ${directionOf(sorted)}, c.id ${dir}`,
      [...values, ...sorted.values],
      "with its values",
    );
  let stamps: Stamp[] = [];
  for (const ids of pageQueries(sorted, parted, page)) {
    stamps = await read(ids);
    if (stamps.length === page.limit) break;
  }
  return { stamps, total };
}

interface Counts extends Pick<Page, "total" | "all"> {
  /** For each of the filter's `halfYears`, if the list can be read half-year by half-year. */
  halfYears: HalfYears[];
}

async function countsOf(ctx: Context, sorted: Sorted, filter: FilterSql): Promise<Counts> {
  const anew = await countIfUnknown(ctx, filter);
  const halfYears = isByActivity(sorted) && anew === null ? filter.halfYears : [];
  // There are many counters of days, so they are read once: if they have the total, it comes from the
  // half-years.
  const isTotal = halfYears.some(({ hasTotal }) => hasTotal);
  const found = `jsonb_build_array(${halfYears.map((of) => of.found).join(", ")}) AS "halfYears"`;
  const counting = `SELECT ${isTotal ? 0 : (anew ?? filter.total)} AS total, ${filter.all} AS "all", ${found}`;
  const asked = anew === null ? filter.values : [ctx.organizationId];
  const [counts] = await countAndStore(ctx, filter, () => select<Counts>(counting, asked, "with its values"));
  if (!counts) return { total: 0, all: 0, halfYears: [] };
  return isTotal ? { ...counts, total: counts.halfYears[0]!.total } : counts;
}

/** The number of contracts that can be found and sorted in the time it takes to add a part to a list. */
const minRowsPerPart = 500;
/** The most parts, each of which takes time to plan: twenty years have this many. */
const maxParts = 40;
/**
 * If days match more than this share of all contracts, few of those are far back. Other filters then have their own
 * indexes.
 */
const maxShareOfAll = 1 / 3;

/**
 * Contracts that began or ended long ago may be anywhere in the order of last activity, even behind all live ones. An
 * index has each half-year in that order, so the list is merged from the half-years that the filter's days touch, and
 * only contracts matching the days are read.
 */
function inHalfYears(filter: FilterSql, { total, all, halfYears }: Counts): [FilterSql, number] {
  const [days] = halfYears
    .map((found, at) => ({ ...filter.halfYears[at]!, ...found }))
    .sort((one, other) => Number(other.isPast) - Number(one.isPast) || one.all - other.all);
  if (!days || (!filter.isDays && days.all > all * maxShareOfAll)) return [filter, all];
  const { of, order, numbers } = days;
  const parts = filter.parts.flatMap((part) => numbers.map((number) => `${part} AND ${of} = ${number}`));
  if (parts.length === 0 || parts.length > Math.min(maxParts, total / minRowsPerPart)) return [filter, all];
  const narrowed = { lastActivityAt: filter.narrowed[order] ?? [] };
  return [
    { ...filter, parts, narrowed, isClustered: filter.isClusteredByDay, isBesideActivity: false },
    days.all,
  ];
}

const stampOf = (row: Stamp) =>
  `${row.id} ${row.revision} ${row.counterpartyName}\n${row.ownerName}\n${row.ownerEmail}\n${row.fieldsStamp}`;

/**
 * Serialized contracts by their stamp. Fetching and serializing fifty rows of 24 columns is three quarters of a
 * list's cost, and few of them change between two requests.
 */
const printedRows = new SerializedRowCache<string>();

function printed(ctx: Context, stamps: Stamp[]): Promise<StoredJson[]> {
  const keys = new Map(stamps.map((row) => [row.id, stampOf(row)]));
  return printedRows.of(keys, async (missing) => {
    const contracts = await contractsById(ctx, missing);
    return contracts.map((contract) => ({
      id: contract.id,
      key: keys.get(contract.id)!,
      text: new StoredJson(serialize(Contract, contract)),
    }));
  });
}
