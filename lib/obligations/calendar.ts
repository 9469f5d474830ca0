/** What time alone makes of obligations: they fall due, they are overdue. Nothing is stored but who was told. */
import { announce, change } from "#lib/change.ts";
import { systemContext } from "#lib/context.ts";
import { dayOf } from "#lib/dates.ts";
import { query } from "#lib/db.ts";
import { dueWithinDays } from "./lifecycle.ts";
import { obligationFrom } from "./rows.ts";

/** Which open obligations each event is for, and the column that keeps for which date it was told. */
const kinds = [
  {
    type: "obligation.due",
    column: "due_told_for",
    when: `resolved_date BETWEEN $1::date AND $1::date + ${dueWithinDays}`,
  },
  { type: "obligation.overdue", column: "overdue_told_for", when: "resolved_date < $1::date" },
] as const;

/** Tells of obligations that fell due or became overdue, once for each date. Answers how many. */
export async function announceDue(now = new Date()): Promise<number> {
  let told = 0;
  for (const kind of kinds) {
    const workspaces = await query<{ organizationId: string }>(
      `SELECT DISTINCT organization_id AS "organizationId" FROM obligations WHERE ${untold(kind)}`,
      [dayOf(now)],
    );
    for (const { organizationId } of workspaces) told += await announceIn(organizationId, kind, now);
  }
  return told;
}

const untold = ({ when, column }: (typeof kinds)[number]) =>
  `state = 'OPEN' AND ${when} AND ${column} IS DISTINCT FROM resolved_date`;

async function announceIn(organizationId: string, kind: (typeof kinds)[number], now: Date): Promise<number> {
  const ctx = systemContext(organizationId, "calendar", now);
  return change(ctx, async (tx) => {
    const marked = await tx.$queryRawUnsafe<{ id: string }[]>(
      `UPDATE obligations SET ${kind.column} = resolved_date
       WHERE organization_id = $2 AND ${untold(kind)} RETURNING id`,
      dayOf(now),
      organizationId,
    );
    const rows = await tx.obligation.findMany({
      where: { organizationId, id: { in: marked.map(({ id }) => id) } },
      orderBy: { id: "asc" },
    });
    await announce(
      rows.map((row) => ({
        ...{ ctx, type: kind.type, previous: null },
        resource: { obligation: obligationFrom(row, ctx.now) },
      })),
    );
    return rows.length;
  });
}
