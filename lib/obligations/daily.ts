/** Status changes of obligations that depend only on time: due, overdue. */

import { clock } from "#lib/core/clock.ts";
import type { Context } from "#lib/core/context.ts";
import { announceOnce } from "#lib/webhooks/announce-once.ts";
import { dueWithinDays } from "./lifecycle.ts";
import { findObligation } from "./obligations.ts";
import { obligationFrom } from "./rows.ts";

/** Announces open obligations that became due or overdue, by the days of openStatus. */
export async function announceDue(now = clock()): Promise<void> {
  const shared = {
    table: "obligations",
    date: "resolved_date",
    resource: async (ctx: Context, id: string) => ({
      obligation: obligationFrom(await findObligation(ctx, id), ctx.now),
    }),
  } as const;
  const due = `NOT archived AND state = 'OPEN' AND resolved_date BETWEEN $1::date AND $1::date + ${dueWithinDays}`;
  await announceOnce({ ...shared, type: "obligation.due", lastAnnounced: "due_told_for", when: due }, now);
  const overdue = "NOT archived AND state = 'OPEN' AND resolved_date < $1::date";
  await announceOnce(
    { ...shared, type: "obligation.overdue", lastAnnounced: "overdue_told_for", when: overdue },
    now,
  );
}
