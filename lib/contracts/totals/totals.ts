/**
 * Totals of filters that no counter covers. A total that took long to count is kept: triggers on contracts update it
 * with every change (contract_counts_fold), so it stays exact, and only the first request had to wait for it.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Context } from "#lib/core/context.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";

export interface Storable {
  /** A hash that identifies the filter. */
  key: string;
  /** A condition on the notes n of changes that the kept totals do not include yet. */
  noted: string;
  /** The filter's values, in the columns of contract_filter_totals. */
  columns: unknown[];
}

/** How to count a filter's matches, as an expression with its parameters. */
interface Countable {
  storable: Storable | null;
  isSearch: boolean;
  counting: string;
  values: unknown[];
}

/** Columns of contract_filter_totals, with the type that a parameter is cast to. */
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

/** A filter by those columns; tags and search text as requested. */
type StoredFilter = Record<keyof typeof columns, unknown>;

/**
 * Stored in the form that is compared: tags in lower case and the search as a pattern, both converted by the
 * database.
 */
const stored: Partial<Record<keyof typeof columns, (parameter: string) => string>> = {
  tags: (parameter) => `(SELECT array_agg(lower(tag)) FROM unnest(${parameter}) AS tag)`,
  pattern: (parameter) => `words_with(${parameter})`,
};

/** For a filter whose total can be kept; `noted` are its conditions on notes n. */
export function storable(filter: StoredFilter, noted: string[]): Storable {
  const values = Object.keys(columns).map((name) => filter[name as keyof StoredFilter] ?? null);
  const key = createHash("sha256").update(JSON.stringify(values)).digest("hex");
  return { key, noted: noted.join(" AND "), columns: values };
}

const moved = (noted: string) =>
  `(SELECT COALESCE(sum(n.count), 0)::int FROM contract_count_notes n WHERE ${noted})`;

/** The kept total, or else the count, as an expression. */
export function storedTotal({ key, noted }: Storable, counting: string): string {
  return `COALESCE((SELECT t.count + ${moved(noted)} FROM contract_filter_totals t
    WHERE t.organization_id = $1 AND t.key = '${key}'), ${counting})`;
}

/** Counts slower than this are kept. */
const slowMs = 20;
/** Per workspace: each one makes every change a little slower. */
const maxStoredTotals = 24;
const countTimeoutMs = 10_000;

/** One at a time besides requests, so that it uses at most one of the process's connections. */
let isCounting = false;

/** Counts, and starts keeping a total that took long, without waiting for that. */
export async function countAndStore<T>(ctx: Context, filter: Countable, count: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await count();
  if (filter.storable && performance.now() - began > slowMs && !isCounting) {
    isCounting = true;
    storeTotal(ctx, filter)
      .catch(notKept)
      .finally(() => (isCounting = false));
  }
  return result;
}

function notKept(error: Error): null {
  log().warn({ error: error.message }, "a total could not be stored");
  return null;
}

/** Searches that this process has run before. */
const known = new LRUCache<string, true>({ max: 10_000 });

/**
 * Counts the matches of a search that is new to this process; null if its total can be read like any other. Among
 * filters without a counter, searches are the slowest, so the first count is done in a way that it can be kept at
 * once, and not run a second time.
 */
export async function countIfUnknown(ctx: Context, filter: Countable): Promise<number | null> {
  const { storable, isSearch } = filter;
  const name = `${ctx.organizationId} ${storable?.key}`;
  if (!storable || !isSearch || known.has(name)) return null;
  known.set(name, true);
  return storeTotal(ctx, filter, slowMs).catch(notKept);
}

/**
 * Counts a filter's matches, and keeps the total if that took at least `leastMs`. A kept total excludes notes that
 * are not yet summed up, so nobody may sum them up meanwhile: if someone is doing so, or the total is kept already,
 * it returns null without counting.
 */
export async function storeTotal(
  { organizationId }: Context,
  { storable, counting, values }: Countable,
  leastMs = 0,
): Promise<number | null> {
  if (!storable) return null;
  const { key, noted, columns: given } = storable;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const places = names.map((name, at) => {
    const parameter = `$${at + 4}::${columns[name]}`;
    return stored[name]?.(parameter) ?? parameter;
  });
  return atomicHousekeeping(
    async (tx) => {
      const [begun] = await tx.$queryRaw<{ isFree: boolean }[]>`
          SELECT pg_try_advisory_xact_lock(hashtextextended('contract_counts ' || ${organizationId}, 0))
            AND set_config('statement_timeout', ${`${countTimeoutMs}`}, true) IS NOT NULL
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
          ORDER BY kept_at DESC OFFSET ${maxStoredTotals})`;
      return total;
    },
    { timeout: 2 * countTimeoutMs },
  );
}
