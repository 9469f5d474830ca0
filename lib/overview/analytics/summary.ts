/** The workspace's key figures. */

import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { countDue } from "#lib/obligations/filter.ts";
import { countContracts, countEnds } from "./counts.ts";

export async function summarize(ctx: Context) {
  const [contracts, expiring, obligations, signing] = await Promise.all([
    countContracts(ctx),
    countExpiring(ctx),
    countDue(ctx),
    summarizeSigning(ctx),
  ]);
  const openValue = contracts.openValue.map(({ currency, valueCents }) => ({ currency, valueCents }));
  const { byStatus: contractsByStatus, byType: contractsByType } = contracts;
  return { contractsByStatus, contractsByType, openValue, expiring, obligations, signing };
}

async function countExpiring(ctx: Context) {
  const today = dayOf(ctx.now);
  const ends = await countEnds(ctx, today, addDays(today, 90));
  const within = (most: number) => ends.reduce((sum, { days, count }) => sum + (days <= most ? count : 0), 0);
  return { d30: within(30), d60: within(60), d90: within(90) };
}

/** Counts open requests. Returns the median hours from creating a request to its completion with the sealed PDF. */
async function summarizeSigning(ctx: Context) {
  const [row] = await select<{ open: number; medianHoursToComplete: number | null }>(
    `SELECT (count(*) FILTER (WHERE status IN ('SENT', 'PARTIALLY_SIGNED', 'SEALING')))::int AS open,
       round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - created_at) / 3600)
         FILTER (WHERE status = 'COMPLETED'))::numeric, 2)::float AS "medianHoursToComplete"
     FROM envelopes e WHERE organization_id = $1 AND NOT EXISTS (SELECT FROM contracts c
       WHERE c.organization_id = $1 AND c.id = e.contract_id AND c.archived)`,
    [ctx.organizationId],
  );
  return row;
}
