/** Who is notified when: the digest at eight in the member's time zone, and urgent matters in between. */
import { clock } from "#lib/core/clock.ts";
import { dayOf, midnight } from "#lib/core/dates.ts";
import { query } from "#lib/core/db.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import { approvalAddressees } from "./approvals.ts";
import type { Channels } from "./catalogue.ts";
import { urgentFrom, urgentTo } from "./items.ts";
import { isDigestTime, isWeekend, localTime, quietDaysAfter, unknownZone } from "./local-time.ts";
import {
  type Recipient,
  sendApprovals,
  sendAssignments,
  sendDigest,
  sendMentions,
  sendUrgent,
} from "./send.ts";
import { defaultsFrom } from "./settings.ts";

interface MemberRow {
  organizationId: string;
  userId: string;
  role: string;
  name: string;
  email: string;
  workspaceName: string;
  timeZone: string;
  channels: Partial<Channels> | null;
  quietWeekends: boolean;
  hasDefaults: boolean;
  defaultChannels: Partial<Channels> | null;
  ownerAfterDays: number | null;
  adminsAfterDays: number | null;
}

const zone = `COALESCE(u.time_zone, '${unknownZone}')`;

const members = `SELECT m.organization_id AS "organizationId", m.user_id AS "userId", m.role, u.name, u.email,
    w.name AS "workspaceName", ${zone} AS "timeZone", s.channels, COALESCE(s.quiet_weekends, false) AS "quietWeekends",
    d.organization_id IS NOT NULL AS "hasDefaults", d.channels AS "defaultChannels",
    d.owner_after_days AS "ownerAfterDays", d.admins_after_days AS "adminsAfterDays"
  FROM members m
  JOIN users u ON u.id = m.user_id
  JOIN organizations w ON w.id = m.organization_id
  LEFT JOIN notification_settings s ON s.organization_id = m.organization_id AND s.user_id = m.user_id
  LEFT JOIN notification_defaults d ON d.organization_id = m.organization_id`;

function recipientFrom(row: MemberRow, now: Date): Recipient {
  const { organizationId, userId, role, name, email, workspaceName, quietWeekends } = row;
  const { hasDefaults, defaultChannels, ownerAfterDays, adminsAfterDays } = row;
  const defaults = defaultsFrom(
    hasDefaults ? { channels: defaultChannels, ownerAfterDays, adminsAfterDays } : null,
  );
  const { day } = localTime(now, row.timeZone);
  return {
    ...{ organizationId, userId, role, name, email, workspaceName, now, today: day },
    quietDays: quietDaysAfter(day, quietWeekends),
    ownerAfterDays: defaults.ownerAfterDays,
    adminsAfterDays: defaults.adminsAfterDays,
    channels: { ...defaults.channels, ...row.channels },
    isQuiet: quietWeekends && isWeekend(day),
  };
}

/** Notifies each; a failure is logged and does not hold up the others. */
async function notifyEach(all: Recipient[], notify: (recipient: Recipient) => Promise<void>): Promise<void> {
  for (const recipient of all) {
    await notify(recipient).catch((error) =>
      log().error(
        { organizationId: recipient.organizationId, error: (error as Error).stack },
        "a member was not notified",
      ),
    );
  }
}

export const sendDueDigests = async (now = clock()) => notifyEach(await digestsDue(now), sendDigest);
export const sendDueUrgent = async (now = clock()) => notifyEach(await urgentDue(now), sendUrgent);
export const sendDueAssignments = async (now = clock()) =>
  notifyEach(await assignmentsDue(now), sendAssignments);
export const sendDueMentions = async (now = clock()) => notifyEach(await mentionsDue(now), sendMentions);
export const sendDueApprovals = async (now = clock()) => notifyEach(await approvalsDue(now), sendApprovals);

/** Returns the members for whom it is past eight and whose digest of today has not been sent. */
export async function digestsDue(now: Date): Promise<Recipient[]> {
  const zones = await query<{ zone: string }>(
    `SELECT DISTINCT ${zone} AS zone FROM users u WHERE EXISTS (
       SELECT 1 FROM members m WHERE m.user_id = u.id AND m.removed_at IS NULL)`,
    [],
  );
  const byDay = Map.groupBy(
    zones.map(({ zone: name }) => ({ name, ...localTime(now, name) })).filter(isDigestTime),
    ({ day }) => day,
  );
  const all: Recipient[] = [];
  for (const [day, there] of byDay) {
    const due = await query<MemberRow>(
      `${members} WHERE m.removed_at IS NULL AND ${zone} = ANY($1::text[])
         AND NOT ($3::boolean AND COALESCE(s.quiet_weekends, false))
         AND NOT EXISTS (SELECT 1 FROM notification_digests n
           WHERE n.organization_id = m.organization_id AND n.user_id = m.user_id AND n.day = $2::date)
       ORDER BY m.organization_id, m.user_id`,
      [there.map(({ name }) => name), day, isWeekend(day)],
    );
    all.push(...due.map((row) => recipientFrom(row, now)));
  }
  return all;
}

/**
 * Returns the members with something due in the next days that they have not been notified of. The search is wider than
 * needed; sendUrgent() decides what cannot wait.
 */
export async function urgentDue(now: Date): Promise<Recipient[]> {
  const today = dayOf(now);
  const rows = await query<MemberRow>(
    `${members} WHERE m.removed_at IS NULL AND (m.organization_id, m.user_id) IN (
       SELECT near.organization_id, COALESCE(who.user_id, o.user_id) FROM (
         SELECT o.organization_id, o.id AS subject, o.resolved_date AS date, 'OBLIGATION_DUE' AS kind,
           COALESCE(o.assignee_id, c.owner_id) AS person
         FROM organizations w
         JOIN obligations o ON o.organization_id = w.id AND NOT o.archived AND o.state = 'OPEN'
           AND o.resolved_date BETWEEN $1::date AND $2::date
         JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
         UNION ALL
         SELECT c.organization_id, c.id, o.resolved_date, 'RENEWAL', c.owner_id
         FROM organizations w
         JOIN obligations o ON o.organization_id = w.id AND NOT o.archived AND o.state = 'OPEN'
           AND o.resolved_date BETWEEN $1::date AND $2::date AND o.kind IN ('RENEWAL_NOTICE', 'TERMINATION_NOTICE')
         JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
           AND c.status IN ('EXECUTED', 'ACTIVE')
         UNION ALL
         SELECT c.organization_id, c.id, c.expires_at, 'RENEWAL', c.owner_id
         FROM organizations w
         JOIN contracts c ON c.organization_id = w.id AND NOT c.archived AND c.status IN ('EXECUTED', 'ACTIVE')
           AND c.expires_at BETWEEN $1::date AND $2::date) near
       LEFT JOIN members who ON who.organization_id = near.organization_id AND who.user_id = near.person
         AND who.removed_at IS NULL
       LEFT JOIN members o ON who.user_id IS NULL AND o.organization_id = near.organization_id AND o.role = 'owner'
         AND o.removed_at IS NULL
       WHERE NOT EXISTS (SELECT 1 FROM notifications n WHERE n.organization_id = near.organization_id
         AND n.user_id = COALESCE(who.user_id, o.user_id) AND n.kind = near.kind AND n.subject_id = near.subject
         AND n.date = near.date AND n.stage <= 1))
     ORDER BY m.organization_id, m.user_id`,
    [urgentFrom(today), urgentTo(today)],
  );
  return rows.map((row) => recipientFrom(row, now));
}

/** Returns the members with assignments that they have not been notified of yet. */
export async function assignmentsDue(now: Date): Promise<Recipient[]> {
  const rows = await query<MemberRow>(
    `${members} WHERE m.removed_at IS NULL AND (m.organization_id, m.user_id) IN (
       SELECT organization_id, assignee_id FROM obligations
       WHERE assignee_id IS NOT NULL AND assignee_told IS DISTINCT FROM assignee_id AND NOT archived AND state = 'OPEN')
     ORDER BY m.organization_id, m.user_id`,
    [],
  );
  return rows.map((row) => recipientFrom(row, now));
}

/** Returns the members with mentions that they have not been notified of yet. */
export async function mentionsDue(now: Date): Promise<Recipient[]> {
  const rows = await query<MemberRow>(
    `${members} WHERE m.removed_at IS NULL AND (m.organization_id, m.user_id) IN (
       SELECT organization_id, unnest(untold_ids) FROM comments WHERE untold_ids <> '{}')
     ORDER BY m.organization_id, m.user_id`,
    [],
  );
  return rows.map((row) => recipientFrom(row, now));
}

/** Returns the members with news about approvals that they have not been notified of yet. */
export async function approvalsDue(now: Date): Promise<Recipient[]> {
  const all = await approvalAddressees(now);
  if (all.length === 0) return [];
  const rows = await query<MemberRow>(
    `${members} WHERE m.removed_at IS NULL
       AND (m.organization_id, m.user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY m.organization_id, m.user_id`,
    [all.map(({ organizationId }) => organizationId), all.map(({ userId }) => userId)],
  );
  return rows.map((row) => recipientFrom(row, now));
}

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes digests after 60 days and notifications after 400, unless their subject is open: it would be sent again. */
export async function forgetOldNotifications(now = clock()): Promise<void> {
  const before = (days: number) => midnight(dayOf(new Date(now.getTime() - days * dayMs)));
  await housekeeping(async (store) => {
    await store.notificationDigest.deleteMany({ where: { day: { lt: before(60) } } });
    await store.$executeRaw`DELETE FROM notifications n WHERE n.created_at < ${before(400)} AND n.date < ${before(400)}
      AND NOT EXISTS (SELECT 1 FROM obligations o WHERE o.organization_id = n.organization_id AND o.id = n.subject_id
        AND o.state = 'OPEN' AND o.resolved_date = n.date)
      AND NOT EXISTS (SELECT 1 FROM envelopes e WHERE e.organization_id = n.organization_id AND e.id = n.subject_id
        AND e.status IN ('SENT', 'PARTIALLY_SIGNED', 'SEALING', 'EXPIRED'))
      AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.organization_id = n.organization_id AND a.id = n.subject_id
        AND a.outcome IS NULL)`;
  });
}
