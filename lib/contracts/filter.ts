/** The filters of a contract list, as SQL conditions and as sums of the counters that triggers maintain. */
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { haveLetters, nameHasLetters } from "#lib/core/search.ts";
import { counterpartiesNamed } from "#lib/counterparties/rows.ts";
import { fieldConditions } from "#lib/custom-fields/filter.ts";
import type { ContractFilter, ContractQuery } from "./schema.ts";
import { hasTag, notesTag } from "./tags/tags.ts";
import { countedTotal, searchedTotal, workspaceTotal } from "./totals/counters.ts";
import { type Conditions, dated, type HalfYearsSql, halfYearsOf } from "./totals/days.ts";
import { type Storable, storable, storedTotal } from "./totals/totals.ts";

type FilterName = keyof ContractFilter;

export interface FilterSql {
  /** Contracts c, and a condition on those that may be listed at all. */
  contracts: string;
  within: string;
  /** Conditions that partition `within` so that an index has each part in order. */
  parts: string[];
  /** By sort: the conditions that an index in the order of that sort resolves by itself. */
  narrowed: Readonly<Record<string, string[]>>;
  /** Contracts c, joined with their words for a search. */
  from: string;
  /** A condition on them. */
  where: string;
  /**
   * The condition on rows `within` that are read one after another. It searches titles directly, and leaves out what
   * the index has resolved already: comparing columns late in the row costs time.
   */
  asked: string;
  values: unknown[];
  /** The exact total of matches as an expression; `counting` counts them without a counter or kept total. */
  total: string;
  counting: string;
  /** The number of contracts that the filters choose from, as an expression. */
  all: string;
  /** How to keep a total that took long to count; null if counters have it, or if it could not be kept exact. */
  storable: Storable | null;
  /** No filters: all contracts that are not archived. */
  isWhole: boolean;
  /** The only filter, if an index has its matches in the order of last activity. */
  only: { sql: string; parameter: string; isList: boolean } | null;
  /** The kinds of days filtered by, if their half-years may be worth reading, and whether all those days are past. */
  halfYears: (HalfYearsSql & { isPast: boolean })[];
  /** Only days are compared. */
  isDays: boolean;
  /** An index on last activity includes all compared columns. */
  isBesideActivity: boolean;
  /** There is a search; `isSearchAlone`: and no other filter. */
  isSearch: boolean;
  isSearchAlone: boolean;
  /**
   * More than columns and search text is compared: matches of a tag or a range of days are rarely spread over a list.
   */
  isClustered: boolean;
  /** The same among contracts matched by days: more than columns, search text and days is compared. */
  isClusteredByDay: boolean;
}

/** Columns that a filter compares for equality. */
const comparedColumns = {
  status: "status",
  type: "type",
  ourRole: "our_role",
  ownerId: "owner_id",
  counterpartyId: "counterparty_id",
  autoRenews: "auto_renews",
  valueCurrency: "value_currency",
} as const satisfies Partial<Record<FilterName, string>>;

/**
 * The columns that each have an index in the order of last activity, and the groups that share an index in that
 * order.
 */
const indexedFilters: readonly FilterName[] = ["status", "ownerId", "counterpartyId"];
const besideActivity: readonly (readonly FilterName[])[] = [
  ["type", "ourRole", "valueCurrency", "autoRenews"],
  ["q", "effectiveFrom", "effectiveTo", "expiresFrom", "expiresTo"],
];

/** Filters whose matches are spread over any list. */
const spread: readonly FilterName[] = [
  ...(Object.keys(comparedColumns) as (keyof typeof comparedColumns)[]),
  "q",
];

/** Collects a filter's conditions in the forms for contracts, notes and counters; $1 is the workspace. */
function collector(ctx: Context, archived: Archived) {
  const values: unknown[] = [ctx.organizationId];
  const conditions: string[] = [];
  const asked: string[] = [];
  const narrowed: Record<string, string[]> = {};
  const noted = ["n.organization_id = $1", ...archivedIs(archived, "n")];
  const onCounters: Partial<Record<FilterName, string | null>> = {};
  const parameters: Parameters = {};
  const place = (value: unknown) => `$${values.push(value)}`;
  const add = (name: FilterName, value: unknown, on: Conditions) => {
    if (value === undefined) return;
    const parameter = place(value);
    parameters[name] = parameter;
    conditions.push(on.contracts(parameter));
    if (on.order) narrowed[on.order] = [...(narrowed[on.order] ?? []), on.contracts(parameter)];
    asked.push((on.read ?? on.contracts)(parameter));
    noted.push(on.notes(parameter));
    onCounters[name] = on.counters?.(parameter) ?? null;
  };
  return { values, conditions, asked, narrowed, noted, onCounters, parameters, place, add };
}

type Collector = ReturnType<typeof collector>;

function addColumns({ add }: Collector, input: ContractFilter): void {
  for (const [name, column] of Object.entries(comparedColumns) as [keyof typeof comparedColumns, string][]) {
    const equals = (row: string) => (p: string) => `${row}${column} = ${anyOf(input[name], p)}`;
    const order = indexedFilters.includes(name) && !isList(input[name]) ? "lastActivityAt" : undefined;
    const on = { contracts: equals("c."), notes: equals("n."), counters: equals(""), order };
    add(name, plain(input[name]), on);
  }
  for (const [name, on] of Object.entries(dated) as [keyof typeof dated, Conditions][]) {
    add(name, day(input[name]), on);
  }
}

function addTags({ add }: Collector, tags: string[]): void {
  const onlyTag = tags.length === 1 ? { counters: (p: string) => `key = lower(${p})` } : {};
  // A contract must have every tag.
  for (const tag of tags) add("tag", tag, { contracts: hasTag, notes: notesTag, ...onlyTag });
}

/** `theirs`: the parameter holding the counterparties whose names match, if any do. */
function addSearch({ add }: Collector, q: string | undefined, theirs: string | undefined): void {
  const named = (has: typeof haveLetters, words: string, party: string) => (p: string) =>
    theirs ? `(${has(words, p)} OR ${party} = ANY(${theirs}))` : has(words, p);
  add("q", q, {
    contracts: named(haveLetters, "w.words", "w.counterparty_id"),
    read: named(nameHasLetters, "c.title", "c.counterparty_id"),
    notes: named(haveLetters, "words_of(n.title)", "n.counterparty_id"),
  });
}

/** The filters of a query as SQL; $1 is the workspace. */
export async function filterOf(ctx: Context, input: ContractFilter): Promise<FilterSql> {
  const { archived, q } = input;
  const collected = collector(ctx, archived);
  const { values, narrowed, noted, onCounters, parameters, place } = collected;
  addColumns(collected, input);
  addTags(collected, input.tag ?? []);
  const parties = q ? await counterpartiesNamed(ctx, q) : [];
  const theirs = parties.length > 0 ? `${place(parties)}::text[]` : undefined;
  addSearch(collected, q, theirs);
  const ofFields = await fieldConditions(ctx, input.customFields ?? {}, place);
  if (ofFields.length > 0) {
    parameters.customFields = "asked";
    onCounters.customFields = null;
  }
  const contracts = archived === "any" ? both : "contracts c";
  const within = ["c.organization_id = $1", ...archivedIs(archived, "c")];
  const where = [...within, ...collected.conditions, ...ofFields].join(" AND ");
  const searchedIn = q ? searched(contracts) : contracts;
  const isWhole = Object.keys(parameters).length === 0 && !showsArchived(archived);
  const counted = isWhole ? workspaceTotal : countedTotal(archivedIs(archived), onCounters);
  const isSearchAlone = q !== undefined && areAmong(["q"], parameters);
  const counting = isSearchAlone
    ? searchedTotal(archivedIs(archived), parameters.q!, theirs)
    : `(SELECT count(*)::int FROM ${searchedIn} WHERE ${where})`;
  // Notes do not contain custom fields.
  const kept = counted || ofFields.length > 0 ? null : storable(asStored(input, parties), noted);
  const isDays = areAmong(Object.keys(dated), parameters);
  return {
    ...{ contracts, within: within.join(" AND "), narrowed },
    parts: archived === "any" ? ["NOT c.archived", "c.archived"] : ["true"],
    ...{ from: searchedIn, where, asked: ["true", ...collected.asked, ...ofFields].join(" AND ") },
    ...{ values, storable: kept, isWhole, isSearchAlone },
    only: onlyFilter(input, parameters),
    halfYears: halfYearsOf(archivedIs(archived), onCounters)
      .map((days) => ({ ...days, isPast: (input[days.until] ?? ctx.now) < ctx.now }))
      // All other columns are compared in the contracts table, which pays off only for contracts likely to be far
      // back in the list.
      .filter((days) => days.isPast || isDays),
    isDays,
    isBesideActivity: besideActivity.some((known) => areAmong(known, parameters)),
    isSearch: q !== undefined,
    isClustered: !areAmong(spread, parameters),
    isClusteredByDay: !areAmong([...spread, ...Object.keys(dated)], parameters),
    all: showsArchived(archived) ? countedTotal(archivedIs(archived), {})! : workspaceTotal,
    total: counted ?? (kept ? storedTotal(kept, counting) : counting),
    counting,
  };
}

const day = (date?: Date) => date && dayOf(date);

/** The filter in the form in which totals are kept; `parties` are the counterparties whose names match the search. */
const asStored = (input: ContractFilter, parties: string[]) => ({
  archived: input.archived === "any" ? undefined : input.archived === "true",
  statuses: input.status,
  types: input.type,
  our_roles: input.ourRole,
  value_currencies: input.valueCurrency,
  auto_renews: input.autoRenews,
  owner_id: input.ownerId,
  counterparty_id: input.counterpartyId,
  effective_from: day(input.effectiveFrom),
  effective_to: day(input.effectiveTo),
  expires_from: day(input.expiresFrom),
  expires_to: day(input.expiresTo),
  tags: input.tag,
  pattern: input.q,
  parties: input.q === undefined ? undefined : parties.toSorted(),
});

/** Contracts c joined with their search words. */
export const searched = (contracts: string) => `${contracts}
  JOIN contract_words w ON w.organization_id = c.organization_id AND w.contract_id = c.id`;

/** Removes duplicates and unwraps lists of one, so that an index returns the matches in order. */
const plain = (value: unknown): unknown => {
  const different = Array.isArray(value) ? [...new Set(value)] : [value];
  return different.length === 1 ? different[0] : different;
};
const isList = (value: unknown) => Array.isArray(plain(value));
const anyOf = (value: unknown, parameter: string) =>
  isList(value)
    ? `ANY(${parameter}::text[])`
    : typeof value === "boolean"
      ? `${parameter}::boolean`
      : parameter;

type Parameters = Partial<Record<FilterName, string>>;

const areAmong = (known: readonly string[], parameters: Parameters) =>
  Object.keys(parameters).every((name) => known.includes(name));

function onlyFilter(input: ContractFilter, parameters: Parameters): FilterSql["only"] {
  const [[name, parameter] = [], ...more] = Object.entries(parameters) as [FilterName, string][];
  if (!name || !parameter || more.length > 0 || !indexedFilters.includes(name)) return null;
  return {
    sql: comparedColumns[name as keyof typeof comparedColumns],
    parameter,
    isList: isList(input[name]),
  };
}

type Archived = ContractQuery["archived"];

/** Both parts; each has indexes of its own. */
const both = `(SELECT * FROM contracts WHERE NOT archived UNION ALL SELECT * FROM contracts WHERE archived) c`;

const showsArchived = (archived: Archived) => archived === "true" || archived === "any";

/** A condition on the archived flag of a table's rows; none to include all rows. */
function archivedIs(archived: Archived, table?: string): string[] {
  if (archived === "any") return [];
  const column = table ? `${table}.archived` : "archived";
  return [archived === "true" ? column : `NOT ${column}`];
}

/** Whether a list's filters leave anything out. */
export function isFiltered({ archived, ...filters }: Partial<ContractFilter>): boolean {
  // `archived: any` leaves nothing out.
  return archived === "true" || Object.values(filters).some((value) => value !== undefined);
}
