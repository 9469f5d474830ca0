/** Status changes that depend only on time: contracts become active, renew, expire. */

import { change } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { query } from "#lib/core/db.ts";
import { log } from "#lib/core/log.ts";
import { anchorsOf } from "#lib/obligations/contract.ts";
import { announceOnce } from "#lib/webhooks/announce-once.ts";
import { advance, type ContractStatus, type Step } from "./lifecycle.ts";
import { type ContractRow, findContract } from "./rows.ts";
import { type Fields, updateContract } from "./update.ts";

/** Brings all contracts of all workspaces up to date. Returns how many changed. */
export async function advanceContracts(now = clock()): Promise<number> {
  const due = await query<{ organizationId: string; id: string }>(
    `SELECT c.organization_id AS "organizationId", c.id
     FROM organizations o JOIN contracts c ON c.organization_id = o.id
     WHERE (c.status = 'EXECUTED' AND c.effective_date < $1::date + 1)
        OR (c.status = 'ACTIVE' AND c.expires_at < $1::date)
     ORDER BY 1, 2`,
    [dayOf(now)],
  );
  let changed = 0;
  for (const { organizationId, id } of due) {
    // A contract that cannot be advanced must not stop the others.
    try {
      if (await advanceContract(systemContext(organizationId, "calendar", now), id)) changed++;
    } catch (error) {
      log().error(
        { organizationId, contractId: id, error: (error as Error).stack },
        "a contract could not be advanced",
      );
    }
  }
  return changed;
}

/** Brings one contract up to date, with a log entry for each step. */
export async function advanceContract(ctx: Context, id: string): Promise<boolean> {
  return change(ctx, async () => {
    let taken = 0;
    while (await takeStep(ctx, id)) taken++;
    return taken > 0;
  });
}

/**
 * Takes the next step, decided on the contract's state when the step is written: someone may have ended it.
 */
async function takeStep(ctx: Context, id: string): Promise<boolean> {
  let step: Step | undefined;
  await updateContract(ctx, id, (before) => {
    const { steps, renewalMonths } = stepsOf(before, ctx);
    step = steps[0];
    const action = step?.kind === "renewal" ? "CONTRACT_RENEWED" : "CONTRACT_STATUS_CHANGED";
    return { fields: step ? fieldsOf(step, renewalMonths, ctx) : {}, action };
  });
  return step !== undefined;
}

function stepsOf(contract: ContractRow, ctx: Context) {
  const { renewalMonths } = contract;
  const status = contract.status as ContractStatus;
  return advance({ ...anchorsOf(contract), renewalMonths, status }, dayOf(ctx.now));
}

function fieldsOf(step: Step, renewalMonths: number | null, ctx: Context): Fields {
  if (step.kind === "renewal") return { termMonths: step.to, renewalMonths };
  return { status: step.to, statusChangedAt: ctx.now.toISOString() };
}

/** The number of days before the end of its term from which a contract is expiring. */
const expiringWithinDays = 30;

/** Announces contracts whose term ends soon, once for each end: renewals and changes set a new one. */
export async function announceExpiring(now = clock()): Promise<void> {
  await announceOnce(
    {
      type: "contract.expiring",
      table: "contracts",
      date: "expires_at",
      lastAnnounced: "expiring_told_for",
      when: `NOT archived AND status = 'ACTIVE' AND expires_at BETWEEN $1::date AND $1::date + ${expiringWithinDays}`,
      resource: async (ctx, id) => ({ contract: await findContract(ctx, id) }),
    },
    now,
  );
}
