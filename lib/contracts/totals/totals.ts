/**
 * Totals of filters that no counter has. Where counting took long, the total is kept: triggers on the contracts move it
 * with every change (contract_counts_fold), so that it is exact, and only the first to ask has waited for it.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Context } from "#lib/core/context.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";

export interface Keepable {
  /** Which filter it is, as a hash. */
  key: string;
  /** A condition on the notes n of changes that the kept totals do not have yet. */
  noted: string;
  /** The filter as the columns of contract_filter_totals have it. */
  columns: unknown[];
}

/** How what a filter finds is counted, as an expression with its parameters. */
interface Countable {
  keepable: Keepable | null;
  isSearch: boolean;
  counting: string;
  values: unknown[];
}

/** Columns of contract_filter_totals, with what a parameter becomes there. */
const columns = {
  archived: "boolean",
  statuses: "text[]",
  types: "text[]",
  our_roles: "text[]",
  value_currencies: "text[]",
  auto_renews: "boolean",
  owner_id: "text",
  counterparty_id: "text",
  effective_from: "date",
  effective_to: "date",
  expires_from: "date",
  expires_to: "date",
  tags: "text[]",
  pattern: "text",
  parties: "text[]",
} as const;

/** A filter, by those columns; of tags and letters what was asked for. */
type StoredFilter = Record<keyof typeof columns, unknown>;

/** What is stored is what is compared: tags in lower case, and the pattern of letters, as the database makes them. */
const stored: Partial<Record<keyof typeof columns, (parameter: string) => string>> = {
  tags: (parameter) => `(SELECT array_agg(lower(tag)) FROM unnest(${parameter}) AS tag)`,
  pattern: (parameter) => `words_with(${parameter})`,
};

/** Of a filter whose total can be kept; `noted` are its conditions on notes n. */
export function keepable(filter: StoredFilter, noted: string[]): Keepable {
  const values = Object.keys(columns).map((name) => filter[name as keyof StoredFilter] ?? null);
  const key = createHash("sha256").update(JSON.stringify(values)).digest("hex");
  return { key, noted: noted.join(" AND "), columns: values };
}

const moved = (noted: string) =>
  `(SELECT COALESCE(sum(n.count), 0)::int FROM contract_count_notes n WHERE ${noted})`;

/** The total as it is kept, and else as it is counted, as an expression. */
export function keptTotal({ key, noted }: Keepable, counting: string): string {
  return `COALESCE((SELECT t.count + ${moved(noted)} FROM contract_filter_totals t
    WHERE t.organization_id = $1 AND t.key = '${key}'), ${counting})`;
}

/** What takes longer to count is kept. */
const slowMs = 20;
/** In a workspace: each costs every change a little. */
const mostKept = 24;
const longestCountMs = 10_000;

/** Beside requests one at a time, so that it takes up no more than one of the process's connections. */
let isCounting = false;

/** Counts, and has what took long kept from now on. No one waits for that. */
export async function counted<T>(ctx: Context, filter: Countable, count: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await count();
  if (filter.keepable && performance.now() - began > slowMs && !isCounting) {
    isCounting = true;
    keepTotal(ctx, filter)
      .catch(notKept)
      .finally(() => (isCounting = false));
  }
  return result;
}

function notKept(error: Error): null {
  log().warn({ error: error.message }, "a total was not kept");
  return null;
}

/** Searches that this process was asked for before. */
const known = new LRUCache<string, true>({ max: 10_000 });

/**
 * How many contracts a search finds that is new here; null where its total can be read as any other's. Of all that has no
 * counter searches take longest: what one finds is counted so that it can be kept at once, and not a second time.
 */
export async function countedAnew(ctx: Context, filter: Countable): Promise<number | null> {
  const { keepable, isSearch } = filter;
  const name = `${ctx.organizationId} ${keepable?.key}`;
  if (!keepable || !isSearch || known.has(name)) return null;
  known.set(name, true);
  return keepTotal(ctx, filter, slowMs).catch(notKept);
}

/**
 * Counts what a filter finds, and keeps it where that took so long at least. What is kept leaves out the notes that are not
 * summed up yet, and no one may sum them up meanwhile: where someone does, nothing is counted, and null is the answer, as
 * where it is kept already.
 */
export async function keepTotal(
  { organizationId }: Context,
  { keepable, counting, values }: Countable,
  leastMs = 0,
): Promise<number | null> {
  if (!keepable) return null;
  const { key, noted, columns: given } = keepable;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const places = names.map((name, at) => {
    const parameter = `$${at + 4}::${columns[name]}`;
    return stored[name]?.(parameter) ?? parameter;
  });
  return atomicHousekeeping(
    async (tx) => {
      const [begun] = await tx.$queryRaw<{ isFree: boolean }[]>`
          SELECT pg_try_advisory_xact_lock(hashtextextended('contract_counts ' || ${organizationId}, 0))
            AND set_config('statement_timeout', ${`${longestCountMs}`}, true) IS NOT NULL
            AND NOT EXISTS (SELECT FROM contract_filter_totals
              WHERE organization_id = ${organizationId} AND key = ${key}) AS "isFree"`;
      if (!begun?.isFree) return null;
      const began = performance.now();
      const [counts] = await tx.$queryRawUnsafe<{ total: number; moved: number }[]>(
        `SELECT ${counting} AS total, ${moved(noted)} AS moved`,
        ...values,
      );
      const { total, moved: since } = counts!;
      if (performance.now() - began < leastMs) return total;
      await tx.$executeRawUnsafe(
        `INSERT INTO contract_filter_totals (organization_id, key, count, ${names.join(", ")})
           VALUES ($1, $2, $3::int, ${places.join(", ")})`,
        ...[organizationId, key, total - since],
        ...given,
      );
      await tx.$executeRaw`DELETE FROM contract_filter_totals WHERE organization_id = ${organizationId} AND key IN (
          SELECT key FROM contract_filter_totals WHERE organization_id = ${organizationId}
          ORDER BY kept_at DESC OFFSET ${mostKept})`;
      return total;
    },
    { timeout: 2 * longestCountMs },
  );
}
