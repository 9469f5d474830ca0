/**
 * Counts and values of a workspace's contracts. They come from counters that triggers maintain, so they are fast for
 * any number of contracts.
 */
import { type ContractStatus, contractStatuses } from "#lib/contracts/lifecycle.ts";
import { contractTypes } from "#lib/contracts/schema.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";

/** Statuses in which a contract has a value, or may get one. */
export const openStatuses: ContractStatus[] = contractStatuses.filter(
  (status) => !["EXPIRED", "TERMINATED", "CANCELLED"].includes(status),
);

/** Statuses in which a contract's term can end. */
export const endingStatuses: ContractStatus[] = ["EXECUTED", "ACTIVE"];

interface Counted {
  status: ContractStatus | null;
  type: (typeof contractTypes)[number] | null;
  currency: string | null;
  count: number;
  valued: number;
  valueCents: string;
}

/** Counts contracts by status and by type, including zeros, and sums up the open value in each currency. */
export async function countContracts(ctx: Context) {
  const rows = await select<Counted>(
    `SELECT status, type, value_currency AS currency, sum(count)::int AS count, sum(valued)::int AS valued,
       sum(value_cents)::text AS "valueCents"
     FROM contract_counts_now WHERE organization_id = $1 AND NOT archived
     GROUP BY GROUPING SETS ((status), (type), (status, value_currency))`,
    [ctx.organizationId],
  );
  const byStatus = known(contractStatuses, (one) =>
    rows.find((row) => row.status === one && row.currency === null),
  );
  const byType = known(contractTypes, (one) => rows.find((row) => row.type === one));
  return { byStatus, byType, openValue: openValueOf(rows) };
}

function known<T extends string>(values: readonly T[], find: (value: T) => Counted | undefined) {
  return Object.fromEntries(values.map((value) => [value, find(value)?.count ?? 0])) as Record<T, number>;
}

function openValueOf(rows: Counted[]) {
  const sums = new Map<string, { currency: string; count: number; cents: bigint }>();
  for (const { status, currency, valued, valueCents } of rows) {
    if (!currency || valued === 0 || !status || !openStatuses.includes(status)) continue;
    const sum = sums.get(currency) ?? { currency, count: 0, cents: 0n };
    sum.count += valued;
    sum.cents += BigInt(valueCents);
    sums.set(currency, sum);
  }
  const sorted = [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return sorted.map(({ cents, ...sum }) => ({ ...sum, valueCents: cents.toString() }));
}

/** Counts the contracts whose term ends on each day from `first` to `last`, and those of them that renew. */
export async function countEnds(ctx: Context, first: string, last: string) {
  return select<{ days: number; count: number; renews: number }>(
    `SELECT day - $2::date AS days, sum(count)::int AS count,
       COALESCE(sum(count) FILTER (WHERE auto_renews), 0)::int AS renews
     FROM contract_day_counts_now WHERE organization_id = $1 AND NOT archived AND field = 'expires' AND day BETWEEN $2::date AND $3::date
       AND status = ANY($4::text[])
     GROUP BY 1 HAVING sum(count) <> 0 ORDER BY 1`,
    [ctx.organizationId, first, last, endingStatuses],
  );
}
