/** Obligations as a calendar that calendar apps fetch from a secret URL. */
import { hash, randomBytes } from "node:crypto";
import ical, { ICalCalendarMethod } from "ical-generator";
import type { SignedIn } from "#lib/core/context.ts";
import { db, query } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { notFound } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import type { FeedCovers } from "./schema.ts";

const tokenHash = (token: string) => new Uint8Array(hash("sha256", token, "buffer"));

export async function readFeed({ user }: SignedIn) {
  const found = await db.calendarFeed.findUnique({ where: { userId: user.id } });
  const covers = (found?.covers ?? "mine") as FeedCovers;
  return { isOn: found !== null, createdAt: found?.createdAt ?? null, covers };
}

/** Creates the person's feed, or replaces its URL: the previous one stops working. */
export async function createFeed(
  { user, now }: SignedIn,
  { covers }: { covers: FeedCovers },
): Promise<{ url: string }> {
  const token = randomBytes(32).toString("base64url");
  const row = { tokenHash: tokenHash(token), covers, createdAt: now };
  await housekeeping((store) =>
    store.calendarFeed.upsert({
      where: { userId: user.id },
      create: { userId: user.id, ...row },
      update: row,
    }),
  );
  return { url: `${settings().BASE_URL}/api/calendar/${token}.ics` };
}

/** Chooses what the feed includes. Its URL stays the same. */
export async function chooseForFeed(person: SignedIn, { covers }: { covers: FeedCovers }) {
  const where = { userId: person.user.id };
  const { count } = await housekeeping((store) => store.calendarFeed.updateMany({ where, data: { covers } }));
  if (count === 0) throw notFound("calendar feed");
  return readFeed(person);
}

export async function endFeed({ user }: SignedIn): Promise<void> {
  await housekeeping((store) => store.calendarFeed.deleteMany({ where: { userId: user.id } }));
}

interface Row {
  id: string;
  title: string;
  resolutionBasis: string;
  resolvedDate: string;
  updatedAt: string;
  contractId: string;
  contractTitle: string;
  workspaceName: string;
}

/** More than any calendar shows. */
const most = 5000;

/** Returns the calendar of a token, according to current memberships; null if the token is unknown. */
export async function calendarOf(token: string): Promise<string | null> {
  const [feed] = await query<{ userId: string; covers: FeedCovers }>(
    `SELECT f.user_id AS "userId", f.covers FROM calendar_feeds f JOIN users u ON u.id = f.user_id
     WHERE f.token_hash = $1`,
    [Buffer.from(tokenHash(token))],
  );
  if (!feed) return null;
  const rows = await query<Row>(
    `SELECT o.id, o.title, o.resolution_basis AS "resolutionBasis", o.resolved_date AS "resolvedDate",
       o.updated_at AS "updatedAt", c.id AS "contractId", c.title AS "contractTitle", w.name AS "workspaceName"
     FROM members m
     JOIN organizations w ON w.id = m.organization_id
     JOIN obligations o ON o.organization_id = m.organization_id AND NOT o.archived
       AND o.state = 'OPEN' AND o.resolved_date IS NOT NULL
     JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
     WHERE m.user_id = $1 AND m.removed_at IS NULL
       AND ($2 = 'everything' OR COALESCE(o.assignee_id, c.owner_id) = $1) ORDER BY o.resolved_date, o.id LIMIT ${most}`,
    [feed.userId, feed.covers],
  );
  return print(rows);
}

function print(rows: Row[]): string {
  const { BASE_URL } = settings();
  const calendar = ical({
    name: "Countersign: obligations",
    prodId: { company: "Countersign", product: "Obligations", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 60 * 60,
  });
  for (const row of rows) {
    const start = new Date(row.resolvedDate);
    calendar.createEvent({
      id: `${row.id}@${new URL(BASE_URL).hostname}`,
      start,
      end: new Date(start.getTime() + 24 * 60 * 60 * 1000),
      allDay: true,
      timezone: "UTC",
      stamp: new Date(row.updatedAt),
      summary: row.title,
      description: `${row.contractTitle} (${row.workspaceName})\n${row.resolutionBasis}`,
      url: `${BASE_URL}/contracts/${row.contractId}`,
    });
  }
  return calendar.toString();
}
