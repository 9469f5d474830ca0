/** Obligations as a calendar that calendar apps fetch from a secret URL. */
import { hash, randomBytes } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import type { SignedIn } from "#lib/core/context.ts";
import { type Day, dayOf, midnight } from "#lib/core/dates.ts";
import { db, query } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { notFound } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { writeCalendar } from "./icalendar.ts";
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
  day: Day;
  updatedAt: string;
  contractId: string;
  contractTitle: string;
  workspaceName: string;
}

/** Calendar apps stop at files of a few megabytes. */
const most = 5000;

/**
 * Returns the calendar of a token, according to current memberships; null if the token is unknown. If there are too many
 * obligations, it has those that are due next, then the oldest overdue ones, and an event today that says so.
 */
export async function calendarOf(token: string): Promise<string | null> {
  const [feed] = await query<{ userId: string; covers: FeedCovers }>(
    `SELECT f.user_id AS "userId", f.covers FROM calendar_feeds f JOIN users u ON u.id = f.user_id
     WHERE f.token_hash = $1`,
    [Buffer.from(tokenHash(token))],
  );
  if (!feed) return null;
  const today = dayOf(clock());
  const rows = await query<Row>(
    `SELECT o.id, o.title, o.resolution_basis AS "resolutionBasis", o.resolved_date::text AS day,
       o.updated_at AS "updatedAt", c.id AS "contractId", c.title AS "contractTitle", w.name AS "workspaceName"
     FROM members m
     JOIN organizations w ON w.id = m.organization_id
     JOIN obligations o ON o.organization_id = m.organization_id AND NOT o.archived
       AND o.state = 'OPEN' AND o.resolved_date IS NOT NULL
     JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
     WHERE m.user_id = $1 AND m.removed_at IS NULL
       AND ($2 = 'everything' OR COALESCE(o.assignee_id, c.owner_id) = $1)
     ORDER BY o.resolved_date < $3::date, o.resolved_date, o.id LIMIT ${most + 1}`,
    [feed.userId, feed.covers, today],
  );
  return print(rows, today);
}

function print(rows: Row[], today: Day): Promise<string> {
  const { BASE_URL } = settings();
  const { hostname } = new URL(BASE_URL);
  const events = rows.slice(0, most).map((row) => ({
    uid: `${row.id}@${hostname}`,
    day: row.day,
    updatedAt: row.updatedAt,
    summary: row.title,
    description: `${row.contractTitle} (${row.workspaceName})\n${row.resolutionBasis}`,
    url: `${BASE_URL}/contracts/${row.contractId}`,
  }));
  const incomplete = {
    uid: `incomplete@${hostname}`,
    day: today,
    updatedAt: midnight(today).toISOString(),
    summary: "Countersign: this calendar is not complete",
    description: `It shows ${most.toLocaleString("en")} obligations, those that are due next first. Countersign lists all.`,
    url: `${BASE_URL}/obligations`,
  };
  return writeCalendar("Countersign: obligations", [...events, ...(rows.length > most ? [incomplete] : [])]);
}
