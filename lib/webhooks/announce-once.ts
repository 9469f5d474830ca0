/** Announces events that a date causes, once for each date: the row stores the date that was last announced. */
import { announce, change, select, skipAudit } from "#lib/core/change.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { type Day, dayOf } from "#lib/core/dates.ts";
import { hasSubscriber } from "./events.ts";
import type { EventType } from "./schema.ts";

/** An event that a date causes. `date`, `lastAnnounced` and `when` are SQL expressions over the table's columns. */
export interface Notice {
  type: EventType;
  table: "contracts" | "obligations";
  date: string;
  lastAnnounced: string;
  /** The condition for rows to announce; $1 is today. */
  when: string;
  resource(ctx: Context, id: string): Promise<Record<string, unknown>>;
}

/** The limit of rows for one change, so that its transaction stays short. */
const maxRowsPerChange = 200;

/** Announces all rows, in every workspace, that have not been announced yet. */
export async function announceOnce(notice: Notice, now: Date): Promise<void> {
  const today = dayOf(now);
  const workspaces = await select<{ id: string }>(
    `SELECT DISTINCT organization_id AS id FROM ${notice.table} WHERE ${notAnnounced(notice)}`,
    [today],
  );
  for (const { id } of workspaces) {
    const ctx = systemContext(id, "calendar", now);
    while ((await announceSome(notice, ctx, today)) === maxRowsPerChange);
  }
}

const notAnnounced = ({ when, date, lastAnnounced }: Notice) =>
  `${when} AND ${date} IS DISTINCT FROM ${lastAnnounced}`;

/**
 * Announces up to `maxRowsPerChange` rows and returns their number. If no endpoint is subscribed, it marks all rows as
 * announced at once and returns 0: an endpoint that subscribes later does not get earlier events.
 */
async function announceSome(notice: Notice, ctx: Context, today: Day): Promise<number> {
  const { type, table, date, lastAnnounced } = notice;
  return change(ctx, async (tx) => {
    const heard = await hasSubscriber(tx, ctx, type);
    // PostgreSQL checks the outer condition again on a row that another run had locked: that run has announced it.
    const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
      `UPDATE ${table} SET ${lastAnnounced} = ${date} WHERE organization_id = $2 AND ${notAnnounced(notice)} AND id IN (
         SELECT id FROM ${table} WHERE organization_id = $2 AND ${notAnnounced(notice)} ORDER BY id LIMIT $3::int)
       RETURNING id`,
      today,
      ctx.organizationId,
      heard ? maxRowsPerChange : null,
    );
    if (!heard) {
      skipAudit();
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
