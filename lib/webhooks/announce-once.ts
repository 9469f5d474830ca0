/** What the calendar brings about is told once for each date: the row keeps for which date it was. */
import { announce, change, select, withoutAudit } from "#lib/core/change.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { type Day, dayOf } from "#lib/core/dates.ts";
import { isHeard } from "./events.ts";
import type { EventType } from "./schema.ts";

/** An event that a date brings about. The rest is SQL over the table's columns. */
export interface Notice {
  type: EventType;
  table: "contracts" | "obligations";
  date: string;
  toldFor: string;
  /** Of which rows it is to be told; $1 is today. */
  when: string;
  resource(ctx: Context, id: string): Promise<Record<string, unknown>>;
}

/** So that a change stays short. */
const mostAtOnce = 200;

/** Tells of all rows, in every workspace, that it was not told of yet. */
export async function announceOnce(notice: Notice, now: Date): Promise<void> {
  const today = dayOf(now);
  const workspaces = await select<{ id: string }>(
    `SELECT DISTINCT organization_id AS id FROM ${notice.table} WHERE ${untold(notice)}`,
    [today],
  );
  for (const { id } of workspaces) {
    const ctx = systemContext(id, "calendar", now);
    while ((await announceSome(notice, ctx, today)) === mostAtOnce);
  }
}

const untold = ({ when, date, toldFor }: Notice) => `${when} AND ${date} IS DISTINCT FROM ${toldFor}`;

/** Where no one listens all are marked at once: who subscribes later is not told of what was before. */
async function announceSome(notice: Notice, ctx: Context, today: Day): Promise<number> {
  const { type, table, date, toldFor } = notice;
  return change(ctx, async (tx) => {
    const heard = await isHeard(tx, ctx, type);
    // The outer condition is checked once more on a row that another run held: that run has told of it.
    const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
      `UPDATE ${table} SET ${toldFor} = ${date} WHERE organization_id = $2 AND ${untold(notice)} AND id IN (
         SELECT id FROM ${table} WHERE organization_id = $2 AND ${untold(notice)} ORDER BY id LIMIT $3::int)
       RETURNING id`,
      today,
      ctx.organizationId,
      heard ? mostAtOnce : null,
    );
    if (!heard) {
      withoutAudit();
      return 0;
    }
    const happenings = [];
    for (const { id } of rows) {
      happenings.push({ ctx, type, resource: await notice.resource(ctx, id), previous: null });
    }
    await announce(happenings);
    return rows.length;
  });
}
