/** What a list of contracts is filtered by: as conditions, and as sums of the counters that triggers keep. */
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { haveLetters, nameHasLetters } from "#lib/core/search.ts";
import { counterpartiesNamed } from "#lib/counterparties/rows.ts";
import { fieldConditions } from "#lib/custom-fields/filter.ts";
import type { ContractFilter, ContractQuery } from "./schema.ts";
import { hasTag, notesTag } from "./tags/tags.ts";
import { type Keepable, keepable, keptTotal } from "./totals/totals.ts";

type FilterName = keyof ContractFilter;

export interface FilterSql {
  /** Contracts c, and a condition on those that may be listed at all. */
  contracts: string;
  within: string;
  /** The same, with those of the filters of which each has an index in the order of the last activity. */
  narrowed: string;
  /** The same, with their words where they are searched. */
  from: string;
  /** A condition on them. */
  where: string;
  /** The same condition for contracts that are read one after the other: letters are looked for in their titles. */
  whereRead: string;
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
  /** An index of the last activity has all columns that are compared. */
  isBesideActivity: boolean;
  /** Letters are looked for. */
  isSearch: boolean;
  /** Each contract says by itself whether it is found, and all stand in one index. */
  isOfEach: boolean;
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
  ["q"],
];

/** Those that compare a column with values, or look for letters. */
const ofEach: readonly FilterName[] = [...(Object.keys(compared) as (keyof typeof compared)[]), "q"];

/** Counted together. */
const facets = ["status", "type", "ourRole", "autoRenews", "valueCurrency"] as const;

/** The days that contracts are counted by, in each status and as they renew. */
const days = {
  effective: { from: "effectiveFrom", to: "effectiveTo" },
  expires: { from: "expiresFrom", to: "expiresTo" },
} as const;

/** The filters of a query as SQL; $1 is the workspace. */
export async function filterOf(ctx: Context, input: ContractFilter): Promise<FilterSql> {
  const values: unknown[] = [ctx.organizationId];
  const { archived } = input;
  const contracts = listed(archived);
  const within = ["c.organization_id = $1", ...archivedIs(archived, "c")];
  const conditions = [...within];
  const conditionsRead = [...within];
  const narrowed = [...within];
  /** The same of the notes n that triggers take of contracts, as they were and as they are. */
  const noted = ["n.organization_id = $1", ...archivedIs(archived, "n")];
  const parameters: Partial<Record<FilterName, string>> = {};
  type Condition = (parameter: string) => string;
  const add = (
    name: FilterName,
    value: unknown,
    ofContracts: Condition,
    ofNotes: Condition,
    ofContractsRead = ofContracts,
  ) => {
    if (value === undefined) return;
    const parameter = `$${values.push(value)}`;
    parameters[name] = parameter;
    conditions.push(ofContracts(parameter));
    conditionsRead.push(ofContractsRead(parameter));
    noted.push(ofNotes(parameter));
  };
  for (const [name, column] of Object.entries(compared) as [keyof typeof compared, string][]) {
    const equals = (row: string) => (p: string) => `${row}.${column} = ${anyOf(input[name], p)}`;
    add(name, plain(input[name]), equals("c"), equals("n"));
    const parameter = parameters[name];
    if (parameter && indexed.includes(name) && !isList(input[name])) narrowed.push(equals("c")(parameter));
  }
  const effective = { from: day(input.effectiveFrom), to: day(input.effectiveTo) };
  const fromInstant = (p: string) => `c.effective_date >= ${p}::timestamptz`;
  add("effectiveFrom", effective.from, fromInstant, (p) => `n.effective_day >= ${p}::date`);
  const toInstant = (p: string) => `c.effective_date < ${p}::timestamptz + interval '1 day'`;
  add("effectiveTo", effective.to, toInstant, (p) => `n.effective_day <= ${p}::date`);
  const expires = (comparison: string, column: string) => (p: string) => `${column} ${comparison} ${p}::date`;
  add("expiresFrom", day(input.expiresFrom), expires(">=", "c.expires_at"), expires(">=", "n.expires_day"));
  add("expiresTo", day(input.expiresTo), expires("<=", "c.expires_at"), expires("<=", "n.expires_day"));
  // Each has to be there.
  for (const tag of input.tag ?? []) add("tag", tag, hasTag, notesTag);
  const { q } = input;
  const parties = q ? await counterpartiesNamed(ctx, q) : [];
  if (parties.length > 0) values.push(parties);
  const theirs = `$${values.length}::text[]`;
  const named = (has: typeof haveLetters, words: string, party: string) => (p: string) =>
    parties.length > 0 ? `(${has(words, p)} OR ${party} = ANY(${theirs}))` : has(words, p);
  add(
    "q",
    q,
    named(haveLetters, "w.words", "w.counterparty_id"),
    named(haveLetters, "words_of(n.title)", "n.counterparty_id"),
    named(nameHasLetters, "c.title", "c.counterparty_id"),
  );
  const place = (value: unknown) => `$${values.push(value)}`;
  const ofFields = await fieldConditions(ctx, input.customFields ?? {}, place);
  if (ofFields.length > 0) parameters.customFields = "asked";
  const where = [...conditions, ...ofFields].join(" AND ");
  const whereRead = [...conditionsRead, ...ofFields].join(" AND ");
  const from = q ? searched(contracts) : contracts;
  const counted = countedTotal(input, parameters);
  const counting =
    searchedTotal(archived, parameters, parties.length > 0 ? theirs : undefined) ??
    `(SELECT count(*)::int FROM ${from} WHERE ${where})`;
  // Notes say nothing of custom fields.
  const kept = counted || ofFields.length > 0 ? null : keepable(asStored(input, parties), noted);
  return {
    ...{ contracts, within: within.join(" AND "), narrowed: narrowed.join(" AND ") },
    ...{ from, where, whereRead, values, keepable: kept },
    isWhole: Object.keys(parameters).length === 0 && !showsArchived(archived),
    only: onlyFilter(input, parameters),
    isBesideActivity: besideActivity.some((known) => areAmong(known, parameters)),
    isSearch: q !== undefined,
    isOfEach: areAmong(ofEach, parameters) && archived !== "any",
    all: countedTotal({ archived }, {})!,
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

/** A list of one is that one: an index then has what it finds in order. */
const plain = (value: unknown) => (Array.isArray(value) && value.length === 1 ? value[0] : value);
const isList = (value: unknown) => Array.isArray(plain(value));
const anyOf = (value: unknown, parameter: string) =>
  isList(value)
    ? `ANY(${parameter}::text[])`
    : typeof value === "boolean"
      ? `${parameter}::boolean`
      : parameter;

type Parameters = Partial<Record<FilterName, string>>;

const areAmong = (known: readonly FilterName[], parameters: Parameters) =>
  Object.keys(parameters).every((name) => known.includes(name as FilterName));

function onlyFilter(input: ContractFilter, parameters: Parameters): FilterSql["only"] {
  const [[name, parameter] = [], ...more] = Object.entries(parameters) as [FilterName, string][];
  if (!name || !parameter || more.length > 0 || !indexed.includes(name)) return null;
  return { sql: compared[name as keyof typeof compared], parameter, isList: isList(input[name]) };
}

/** The total as a sum of counters, where those that there are suffice for all filters together. */
function countedTotal(input: ContractFilter, parameters: Parameters): string | undefined {
  const isCounted = (...known: FilterName[]) => areAmong(known, parameters);
  const kept = archivedIs(input.archived);
  if (isCounted() && !showsArchived(input.archived)) {
    return "(SELECT contract_count FROM workspace_heads WHERE organization_id = $1)";
  }
  if (isCounted("counterpartyId") && parameters.counterpartyId) {
    return sumOf("counterparty_contract_counts_now", [
      ...kept,
      `counterparty_id = ${parameters.counterpartyId}`,
    ]);
  }
  if (isCounted("tag") && input.tag?.length === 1) {
    return sumOf("contract_tag_counts_now", [...kept, `key = lower(${parameters.tag})`]);
  }
  const same = (all: readonly (keyof typeof compared)[]) =>
    all.flatMap((name) =>
      parameters[name] ? [`${compared[name]} = ${anyOf(input[name], parameters[name])}`] : [],
    );
  if (isCounted(...facets)) return sumOf("contract_counts_now", [...kept, ...same(facets)]);
  if (isCounted("ownerId", "status")) {
    return sumOf("contract_owner_counts_now", [...kept, ...same(["ownerId", "status"])]);
  }
  for (const [field, { from, to }] of Object.entries(days)) {
    if (!isCounted(from, to, "status", "autoRenews")) continue;
    return sumOf("contract_day_counts_now", [
      ...kept,
      `field = '${field}'`,
      ...(parameters[from] ? [`day >= ${parameters[from]}::date`] : []),
      ...(parameters[to] ? [`day <= ${parameters[to]}::date`] : []),
      ...same(["status", "autoRenews"]),
    ]);
  }
  return undefined;
}

/** Of a search alone: whose title has the letters, and all contracts of the counterparties whose name has them. */
function searchedTotal(
  archived: ContractFilter["archived"],
  { q, ...others }: Parameters,
  theirs: string | undefined,
): string | undefined {
  if (!q || Object.keys(others).length > 0) return undefined;
  const words = ["w.organization_id = $1", ...archivedIs(archived, "w"), haveLetters("w.words", q)];
  const titled = `FROM contract_words w WHERE ${words.join(" AND ")}`;
  if (!theirs) return `(SELECT count(*)::int ${titled})`;
  const isTheirs = `w.counterparty_id IS NOT NULL AND w.counterparty_id = ANY(${theirs})`;
  return `((SELECT (count(*) FILTER (WHERE (${isTheirs}) IS NOT TRUE))::int ${titled})
    + ${sumOf("counterparty_contract_counts_now", [...archivedIs(archived), `counterparty_id = ANY(${theirs})`])})`;
}

const sumOf = (table: string, conditions: string[]) =>
  `(SELECT COALESCE(sum(count), 0)::int FROM ${table} WHERE ${["organization_id = $1", ...conditions].join(" AND ")})`;

type Archived = ContractQuery["archived"];

/** Both parts, each in the order of its index: PostgreSQL merges them as it reads them. */
const both = `(SELECT * FROM contracts WHERE NOT archived UNION ALL SELECT * FROM contracts WHERE archived) c`;

const showsArchived = (archived: Archived) => archived === "true" || archived === "any";

/** What a list reads contracts from, as c. */
const listed = (archived: Archived) => (archived === "any" ? both : "contracts c");

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
