/**
 * The days that lists are filtered by, and the half-years that counters divide them into: an index has the contracts
 * of each half-year by last activity.
 */

/** A filter's condition on its parameter, for each thing it applies to. */
export interface Conditions {
  contracts(parameter: string): string;
  /** For contracts read one after another, if it differs. */
  read?(parameter: string): string;
  /** For the notes n that triggers write of contracts' old and new states. */
  notes(parameter: string): string;
  /** For counters, if they have the column. */
  counters?(parameter: string): string;
  /** The sort whose index resolves it, besides `within`. */
  order?: string | undefined;
}

const from = (column: string) => (parameter: string) => `${column} >= ${parameter}::date`;
const to = (column: string) => (parameter: string) => `${column} <= ${parameter}::date`;

/** A bound on days, which are in a column of the notes and in the index of a sort. */
const bounded = (
  bound: typeof from,
  contracts: Conditions["contracts"],
  [noted, order]: readonly [string, string],
): Conditions => ({ contracts, notes: bound(noted), counters: bound("day"), order });

const starts = ["n.effective_day", "effectiveDate"] as const;
const ends = ["n.expires_day", "expiresAt"] as const;

/** The moment at which a day begins; a statement computes it once. */
const beginning = (day: string) => `${day}::timestamp AT TIME ZONE 'UTC'`;
/** Both ends of a range are included. An effective date is a moment, so its last day counts as a whole. */
export const dated = {
  effectiveFrom: bounded(from, (p) => `c.effective_date >= ${beginning(`${p}::date`)}`, starts),
  effectiveTo: bounded(to, (p) => `c.effective_date < ${beginning(`(${p}::date + 1)`)}`, starts),
  expiresFrom: bounded(from, from("c.expires_at"), ends),
  expiresTo: bounded(to, to("c.expires_at"), ends),
} as const satisfies Record<string, Conditions>;

/**
 * Of 182 days each, except the one around 1970, as in the indexes contracts_by_effective_half_year and
 * contracts_by_expiry_half_year.
 */
const halfYearOf = (day: string) => `((${day} - DATE '1970-01-01') / 182)`;

/** The days of contracts c that can be filtered by, as the counters name them. */
const fields = [
  {
    field: "effective",
    by: ["effectiveFrom", "effectiveTo"],
    until: "effectiveTo",
    order: "effectiveDate",
    of: halfYearOf("(c.effective_date AT TIME ZONE 'UTC')::date"),
  },
  {
    field: "expires",
    by: ["expiresFrom", "expiresTo"],
    until: "expiresTo",
    order: "expiresAt",
    of: halfYearOf("c.expires_at"),
  },
] as const;

/** The other columns of the day counters. */
const beside: readonly string[] = ["status", "autoRenews"];

/** How to find the half-years of a filter's days. */
export interface HalfYearsSql {
  /** The half-year of a contract c, as its index has it. */
  of: string;
  /** The filter that sets the last day, and the sort whose index has the days in order. */
  until: "effectiveTo" | "expiresTo";
  order: string;
  /** An expression that returns HalfYears. */
  found: string;
  /** The day counters cover all filters, and so have their total. */
  hasTotal: boolean;
}

/** The half-years in which contracts match. */
export interface HalfYears {
  numbers: number[];
  /** How many contracts in them match by days alone. */
  all: number;
  /** How many match all filters, if `hasTotal`. */
  total: number;
}

/** One for each kind of day filtered by; `conditions` as in countedTotal. */
export function halfYearsOf(
  archived: string[],
  conditions: Partial<Record<string, string | null>>,
): HalfYearsSql[] {
  const names = Object.keys(conditions);
  const on = (some: readonly string[]) => some.flatMap((name) => conditions[name] ?? []);
  return fields
    .filter(({ by }) => by.some((name) => names.includes(name)))
    .map(({ field, by, ...days }) => {
      const known: readonly string[] = [...by, ...beside];
      const hasTotal = names.every((name) => known.includes(name));
      const where = ["organization_id = $1", ...archived, `field = '${field}'`, ...on(by)].join(" AND ");
      const matching = hasTotal ? ["true", ...on(beside)].join(" AND ") : "true";
      const found = `(SELECT jsonb_build_object('numbers', COALESCE(jsonb_agg(number), '[]'),
          'all', COALESCE(sum("all"), 0), 'total', COALESCE(sum(total), 0))
        FROM (SELECT ${halfYearOf("day")} AS number, sum(count) AS "all", sum(count) FILTER (WHERE ${matching}) AS total
          FROM contract_day_counts_now WHERE ${where} GROUP BY number) half_year WHERE total > 0)`;
      return { ...days, found, hasTotal };
    });
}
