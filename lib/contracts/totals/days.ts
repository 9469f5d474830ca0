/**
 * Days that lists are filtered by, and the half-years in which counters have them: an index has the contracts of each
 * half-year by their last activity.
 */

/** A filter's condition for its parameter, by what it is put on. */
export interface Conditions {
  contracts(parameter: string): string;
  /** On contracts that are read one after the other, where it is another one. */
  read?(parameter: string): string;
  /** On the notes n that triggers take of contracts, as they were and as they are. */
  notes(parameter: string): string;
  /** On counters, where they have it. */
  counters?(parameter: string): string;
  /** The sort of the index that finds it, beside what is `within`. */
  order?: string | undefined;
}

const from = (column: string) => (parameter: string) => `${column} >= ${parameter}::date`;
const to = (column: string) => (parameter: string) => `${column} <= ${parameter}::date`;

/** A bound of days, which are noted in a column of the notes and found by the index of a sort. */
const bounded = (
  bound: typeof from,
  contracts: Conditions["contracts"],
  [noted, order]: readonly [string, string],
): Conditions => ({ contracts, notes: bound(noted), counters: bound("day"), order });

const starts = ["n.effective_day", "effectiveDate"] as const;
const ends = ["n.expires_day", "expiresAt"] as const;

/** The moment at which a day begins, which a statement computes once. */
const beginning = (day: string) => `${day}::timestamp AT TIME ZONE 'UTC'`;
/** Both days of a span are within it: of an effective date, which is a moment, the whole of the last one. */
export const dated = {
  effectiveFrom: bounded(from, (p) => `c.effective_date >= ${beginning(`${p}::date`)}`, starts),
  effectiveTo: bounded(to, (p) => `c.effective_date < ${beginning(`(${p}::date + 1)`)}`, starts),
  expiresFrom: bounded(from, from("c.expires_at"), ends),
  expiresTo: bounded(to, to("c.expires_at"), ends),
} as const satisfies Record<string, Conditions>;

/**
 * Of 182 days each, but for the one around 1970, as the indexes contracts_by_effective_half_year and
 * contracts_by_expiry_half_year count them.
 */
const halfYearOf = (day: string) => `((${day} - DATE '1970-01-01') / 182)`;

/** Days of contracts c that are filtered by, as counters call them. */
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

/** What else counters of days are told apart by. */
const beside: readonly string[] = ["status", "autoRenews"];

/** How the half-years of a filter's days are found. */
export interface HalfYearsSql {
  /** That of a contract c, as its index has it. */
  of: string;
  /** The filter of the last of these days, and the sort in whose order an index has them. */
  until: "effectiveTo" | "expiresTo";
  order: string;
  /** An expression of HalfYears. */
  found: string;
  /** Counters of days know all filters, and so their total. */
  hasTotal: boolean;
}

/** Those in which contracts are found. */
export interface HalfYears {
  numbers: number[];
  /** How many contracts the days find in them, whatever else is asked. */
  all: number;
  /** How many all filters find, where it `hasTotal`. */
  total: number;
}

/** Of each kind of day that is filtered by; `conditions` as those of countedTotal. */
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
