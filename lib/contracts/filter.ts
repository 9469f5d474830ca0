/** What a list of contracts is filtered by: as conditions, and as sums of the counters that triggers keep. */
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { haveLetters, nameHasLetters } from "#lib/core/search.ts";
import { counterpartiesNamed } from "#lib/counterparties/rows.ts";
import { fieldConditions } from "#lib/custom-fields/filter.ts";
import type { ContractFilter, ContractQuery } from "./schema.ts";
import { hasTag, notesTag } from "./tags/tags.ts";
import { countedTotal, searchedTotal, wholeTotal } from "./totals/counters.ts";
import { type Conditions, dated, type HalfYearsSql, halfYearsOf } from "./totals/days.ts";
import { type Keepable, keepable, keptTotal } from "./totals/totals.ts";

type FilterName = keyof ContractFilter;

export interface FilterSql {
  /** Contracts c, and a condition on those that may be listed at all. */
  contracts: string;
  within: string;
  /** Conditions that part what is `within` so that an index has each part in order. */
  parts: string[];
  /** What an index in the order of a sort finds by itself, by the sort. */
  narrowed: Readonly<Record<string, string[]>>;
  /** Contracts c, with their words where they are searched. */
  from: string;
  /** A condition on them. */
  where: string;
  /**
   * What is asked of those `within` when they are read one after the other: letters are looked for in their titles. An index
   * has found what is within, and a column that stands late in the table is not compared once more.
   */
  asked: string;
  values: unknown[];
  /** The exact number of all that match, as an expression, and as it is counted where nothing has it. */
  total: string;
  counting: string;
  /** The number of all from which the filters choose, as an expression. */
  all: string;
  /** How the total is kept where counting it took long; null where counters have it, or nothing could keep it exact. */
  keepable: Keepable | null;
  /** No filter at all: all that are not archived. */
  isWhole: boolean;
  /** The one filter that there is, where an index has the contracts that it finds by their last activity. */
  only: { sql: string; parameter: string; isList: boolean } | null;
  /** Of each kind of day that is filtered by, where half-years may be worth reading, and whether all of them are past. */
  halfYears: (HalfYearsSql & { isPast: boolean })[];
  /** Nothing but days is compared. */
  isDays: boolean;
  /** An index of the last activity has all columns that are compared. */
  isBesideActivity: boolean;
  /** Letters are looked for; nothing but letters is. */
  isSearch: boolean;
  isSearchAlone: boolean;
  /** More than columns and letters is compared: what a span of days finds, or a tag, is seldom spread over a list. */
  standsTogether: boolean;
  /** The same among what days find: more than columns, letters and days is compared. */
  standsTogetherInDays: boolean;
}

/** Columns of contracts that a filter compares for equality. */
const compared = {
  status: "status",
  type: "type",
  ourRole: "our_role",
  ownerId: "owner_id",
  counterpartyId: "counterparty_id",
  autoRenews: "auto_renews",
  valueCurrency: "value_currency",
} as const satisfies Partial<Record<FilterName, string>>;

/** Those of which each has an index in the order of the last activity, and those that stand together in one of that order. */
const indexed: readonly FilterName[] = ["status", "ownerId", "counterpartyId"];
const besideActivity: readonly (readonly FilterName[])[] = [
  ["type", "ourRole", "valueCurrency", "autoRenews"],
  ["q", "effectiveFrom", "effectiveTo", "expiresFrom", "expiresTo"],
];

/** Those whose values are spread over any list. */
const spread: readonly FilterName[] = [...(Object.keys(compared) as (keyof typeof compared)[]), "q"];

/** The conditions of a filter, collected as the contracts, the notes and the counters have them; $1 is the workspace. */
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
  for (const [name, column] of Object.entries(compared) as [keyof typeof compared, string][]) {
    const equals = (row: string) => (p: string) => `${row}${column} = ${anyOf(input[name], p)}`;
    const order = indexed.includes(name) && !isList(input[name]) ? "lastActivityAt" : undefined;
    const on = { contracts: equals("c."), notes: equals("n."), counters: equals(""), order };
    add(name, plain(input[name]), on);
  }
  for (const [name, on] of Object.entries(dated) as [keyof typeof dated, Conditions][]) {
    add(name, day(input[name]), on);
  }
}

function addTags({ add }: Collector, tags: string[]): void {
  const onlyTag = tags.length === 1 ? { counters: (p: string) => `key = lower(${p})` } : {};
  // Each has to be there.
  for (const tag of tags) add("tag", tag, { contracts: hasTag, notes: notesTag, ...onlyTag });
}

/** `theirs`: the parameter with the counterparties whose names match, if any do. */
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
  const counted = isWhole ? wholeTotal : countedTotal(archivedIs(archived), onCounters);
  const isSearchAlone = q !== undefined && areAmong(["q"], parameters);
  const counting = isSearchAlone
    ? searchedTotal(archivedIs(archived), parameters.q!, theirs)
    : `(SELECT count(*)::int FROM ${searchedIn} WHERE ${where})`;
  // Notes say nothing of custom fields.
  const kept = counted || ofFields.length > 0 ? null : keepable(asStored(input, parties), noted);
  const isDays = areAmong(Object.keys(dated), parameters);
  return {
    ...{ contracts, within: within.join(" AND "), narrowed },
    parts: archived === "any" ? ["NOT c.archived", "c.archived"] : ["true"],
    ...{ from: searchedIn, where, asked: ["true", ...collected.asked, ...ofFields].join(" AND ") },
    ...{ values, keepable: kept, isWhole, isSearchAlone },
    only: onlyFilter(input, parameters),
    halfYears: halfYearsOf(archivedIs(archived), onCounters)
      .map((days) => ({ ...days, isPast: (input[days.until] ?? ctx.now) < ctx.now }))
      // Other columns are compared in the contracts themselves: that is worth it only for what may stand far back.
      .filter((days) => days.isPast || isDays),
    isDays,
    isBesideActivity: besideActivity.some((known) => areAmong(known, parameters)),
    isSearch: q !== undefined,
    standsTogether: !areAmong(spread, parameters),
    standsTogetherInDays: !areAmong([...spread, ...Object.keys(dated)], parameters),
    all: showsArchived(archived) ? countedTotal(archivedIs(archived), {})! : wholeTotal,
    total: counted ?? (kept ? keptTotal(kept, counting) : counting),
    counting,
  };
}

const day = (date?: Date) => date && dayOf(date);

/** A filter as totals are kept of it; `parties` are the counterparties whose names have its letters. */
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

/** Contracts c and what they are searched by. */
export const searched = (contracts: string) => `${contracts}
  JOIN contract_words w ON w.organization_id = c.organization_id AND w.contract_id = c.id`;

/** What is listed twice counts once; a list of one is that one: an index then has what it finds in order. */
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
  if (!name || !parameter || more.length > 0 || !indexed.includes(name)) return null;
  return { sql: compared[name as keyof typeof compared], parameter, isList: isList(input[name]) };
}

type Archived = ContractQuery["archived"];

/** Both parts, of which each has indexes of its own. */
const both = `(SELECT * FROM contracts WHERE NOT archived UNION ALL SELECT * FROM contracts WHERE archived) c`;

const showsArchived = (archived: Archived) => archived === "true" || archived === "any";

/** A condition on a table that says which of its rows are of archived contracts; none for all of them. */
function archivedIs(archived: Archived, table?: string): string[] {
  if (archived === "any") return [];
  const column = table ? `${table}.archived` : "archived";
  return [archived === "true" ? column : `NOT ${column}`];
}

/** Whether a list's filters leave anything out. */
export function isFiltered({ archived, ...filters }: Partial<ContractFilter>): boolean {
  // With all of them, nothing is left out.
  return archived === "true" || Object.values(filters).some((value) => value !== undefined);
}
