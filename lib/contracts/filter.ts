/** What a list of contracts is filtered by: as conditions, and as sums of the counters that triggers keep. */
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { matches, searched } from "#lib/core/search.ts";
import { counterpartiesNamed } from "#lib/counterparties/rows.ts";
import type { ContractQuery } from "./schema.ts";

export type ContractFilter = Omit<ContractQuery, "sort" | "dir" | "page">;

type FilterName = keyof ContractFilter;

export interface FilterSql {
  /** A condition on `contracts c`. */
  where: string;
  values: unknown[];
  /** The exact number of all that match, as an expression. */
  total: string;
  /** No filter at all. */
  isWhole: boolean;
  /** The one filter that there is, where an index has the contracts that it finds by their last activity. */
  only: { sql: string; parameter: string; isList: boolean } | null;
}

/** Columns of contracts that a filter compares for equality, each with an index of its own. */
const compared = {
  status: "status",
  type: "type",
  ourRole: "our_role",
  ownerId: "owner_id",
  counterpartyId: "counterparty_id",
  autoRenews: "auto_renews",
  valueCurrency: "value_currency",
} as const satisfies Partial<Record<FilterName, string>>;

/** Counted together, of everyone and of each owner. */
const facets = ["status", "type", "ourRole", "ownerId", "autoRenews", "valueCurrency"] as const;

/** The days that contracts are counted by, in each status and as they renew. */
const days = {
  effective: { from: "effectiveFrom", to: "effectiveTo" },
  expires: { from: "expiresFrom", to: "expiresTo" },
} as const;

/** The filters of a query as SQL; $1 is the workspace. */
export async function filterOf(ctx: Context, input: ContractFilter): Promise<FilterSql> {
  const values: unknown[] = [ctx.organizationId];
  const conditions = ["c.organization_id = $1"];
  const parameters: Partial<Record<FilterName, string>> = {};
  const add = (name: FilterName, value: unknown, condition: (parameter: string) => string) => {
    if (value === undefined) return;
    values.push(value);
    parameters[name] = `$${values.length}`;
    conditions.push(condition(`$${values.length}`));
  };
  for (const [name, column] of Object.entries(compared) as [keyof typeof compared, string][]) {
    add(name, plain(input[name]), (p) => `c.${column} = ${anyOf(input[name], p)}`);
  }
  const day = (date?: Date) => date && dayOf(date);
  add("effectiveFrom", day(input.effectiveFrom), (p) => `c.effective_date >= ${p}::timestamptz`);
  add(
    "effectiveTo",
    day(input.effectiveTo),
    (p) => `c.effective_date < ${p}::timestamptz + interval '1 day'`,
  );
  add("expiresFrom", day(input.expiresFrom), (p) => `c.expires_at >= ${p}::date`);
  add("expiresTo", day(input.expiresTo), (p) => `c.expires_at <= ${p}::date`);
  const { q } = input;
  if (q) {
    // Which counterparties they are is known before the statement is planned: most often none, and sometimes all.
    values.push(await counterpartiesNamed(ctx, q));
    const parties = `$${values.length}::text[]`;
    add("q", searched(q), (p) => `(${matches("c.title", q, p)} OR c.counterparty_id = ANY(${parties}))`);
  }
  const where = conditions.join(" AND ");
  return {
    ...{ where, values, isWhole: conditions.length === 1, only: onlyFilter(input, parameters) },
    total: countedTotal(input, parameters) ?? `(SELECT count(*)::int FROM contracts c WHERE ${where})`,
  };
}

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

function onlyFilter(input: ContractFilter, parameters: Parameters): FilterSql["only"] {
  const [[name, parameter] = [], ...more] = Object.entries(parameters) as [FilterName, string][];
  if (!name || !parameter || more.length > 0 || !(name in compared)) return null;
  return { sql: compared[name as keyof typeof compared], parameter, isList: isList(input[name]) };
}

/** The total as a sum of counters, where those that there are suffice for all filters together. */
function countedTotal(input: ContractFilter, parameters: Parameters): string | undefined {
  const names = Object.keys(parameters) as FilterName[];
  const areAmong = (known: readonly string[]) => names.every((name) => known.includes(name));
  if (names.length === 0) return "(SELECT contract_count FROM workspace_heads WHERE organization_id = $1)";
  if (areAmong(["counterpartyId"])) {
    return sumOf("counterparty_contract_counts", [`counterparty_id = ${parameters.counterpartyId}`]);
  }
  const same = (all: readonly (keyof typeof compared)[]) =>
    all.flatMap((name) =>
      parameters[name] ? [`${compared[name]} = ${anyOf(input[name], parameters[name])}`] : [],
    );
  if (areAmong(facets)) {
    return sumOf("contract_counts", [...(parameters.ownerId ? [] : ["owner_id = ''"]), ...same(facets)]);
  }
  for (const [field, { from, to }] of Object.entries(days)) {
    if (!areAmong([from, to, "status", "autoRenews"])) continue;
    return sumOf("contract_day_counts", [
      `field = '${field}'`,
      ...(parameters[from] ? [`day >= ${parameters[from]}::date`] : []),
      ...(parameters[to] ? [`day <= ${parameters[to]}::date`] : []),
      ...same(["status", "autoRenews"]),
    ]);
  }
  return undefined;
}

const sumOf = (table: string, conditions: string[]) =>
  `(SELECT COALESCE(sum(count), 0)::int FROM ${table} WHERE ${["organization_id = $1", ...conditions].join(" AND ")})`;

/** Whether a list's filters leave anything out. */
export function isFiltered(filters: Partial<ContractFilter>): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
