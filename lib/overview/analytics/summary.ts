/** The workspace in a few numbers. */

import { type ContractStatus, contractStatuses } from "#lib/contracts/lifecycle.ts";
import { contractTypes } from "#lib/contracts/schema.ts";
import { reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { withStatus } from "#lib/obligations/list.ts";

const ended: ContractStatus[] = ["EXPIRED", "TERMINATED", "CANCELLED"];

export async function summarize(ctx: Context) {
  const [byStatus, byType, openValue, expiring, obligations, signing] = await Promise.all([
    countBy(ctx, "status", contractStatuses),
    countBy(ctx, "type", contractTypes),
    sumOpenValue(ctx),
    countExpiring(ctx),
    countObligations(ctx),
    summarizeSigning(ctx),
  ]);
  return { contractsByStatus: byStatus, contractsByType: byType, openValue, expiring, obligations, signing };
}

/** Every known value is in the answer, the ones without a contract as 0. */
async function countBy<T extends string>(ctx: Context, column: "status" | "type", known: readonly T[]) {
  const rows = await select<{ value: T; count: number }>(
    `SELECT ${column} AS value, count(*)::int AS count FROM contracts WHERE organization_id = $1 GROUP BY 1`,
    [ctx.organizationId],
  );
  const counts = new Map(rows.map(({ value, count }) => [value, count]));
  return Object.fromEntries(known.map((value) => [value, counts.get(value) ?? 0])) as Record<T, number>;
}

async function sumOpenValue(ctx: Context) {
  return select<{ currency: string; valueCents: string }>(
    `SELECT value_currency AS currency, sum(value_cents)::text AS "valueCents" FROM contracts
     WHERE organization_id = $1 AND value_cents IS NOT NULL AND NOT status = ANY($2::text[])
     GROUP BY 1 ORDER BY 1`,
    [ctx.organizationId, ended],
  );
}

async function countExpiring(ctx: Context) {
  const [counts] = await select<{ d30: number; d60: number; d90: number }>(
    `SELECT (count(*) FILTER (WHERE expires_at <= $2::date + 30))::int AS d30,
       (count(*) FILTER (WHERE expires_at <= $2::date + 60))::int AS d60, count(*)::int AS d90
     FROM contracts WHERE organization_id = $1 AND status IN ('EXECUTED', 'ACTIVE')
       AND expires_at BETWEEN $2::date AND $2::date + 90`,
    [ctx.organizationId, dayOf(ctx.now)],
  );
  return counts;
}

async function countObligations(ctx: Context) {
  const today = dayOf(ctx.now);
  const count = (status: "DUE" | "OVERDUE") =>
    reader().obligation.count({ where: { AND: [own(ctx), withStatus(status, today)] } });
  const [due, overdue] = await Promise.all([count("DUE"), count("OVERDUE")]);
  return { due, overdue };
}

/** Hours from the request's making to the sealed PDF, of those completed. */
async function summarizeSigning(ctx: Context) {
  const [row] = await select<{ open: number; medianHoursToComplete: number | null }>(
    `SELECT (count(*) FILTER (WHERE status IN ('SENT', 'PARTIALLY_SIGNED', 'SEALING')))::int AS open,
       round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - created_at) / 3600)
         FILTER (WHERE status = 'COMPLETED'))::numeric, 2)::float AS "medianHoursToComplete"
     FROM envelopes WHERE organization_id = $1`,
    [ctx.organizationId],
  );
  return row;
}
