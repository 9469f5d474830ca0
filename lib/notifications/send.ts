/**
 * Notifies one member: writes the notifications and queues their e-mail in one transaction. Each is sent once, whatever
 * process is killed; the e-mail gets its id here, so that a second delivery can be recognized.
 */
import { randomUUID } from "node:crypto";
import { midnight } from "#lib/core/dates.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { queueMail } from "#lib/mail/queue.ts";
import { approvalItems } from "./approvals.ts";
import type { Channels, NotificationKind } from "./catalogue.ts";
import { type Item, isUrgent, type Reader, unsentItems } from "./items.ts";
import { dayInWords, sectionsOf } from "./lines.ts";
import type { Unsubscribable } from "./schema.ts";
import { sendsMail } from "./settings.ts";
import { unsubscribeAddress, unsubscribePage, unsubscribeToken } from "./unsubscribe.ts";

/** Whom to notify, and how. */
export interface Recipient extends Reader {
  name: string;
  email: string;
  workspaceName: string;
  channels: Channels;
  /** No e-mail today: what would be e-mailed is sent after the quiet days. */
  isQuiet: boolean;
}

/** A first digest may have years of overdue items. */
const limits = { maxWait: 10_000, timeout: 60_000 };
const maxRowsPerInsert = 1000;

/** Sends the daily digest of what is new, if anything is. */
export async function sendDigest(recipient: Recipient): Promise<void> {
  const { organizationId, userId, today, now } = recipient;
  await atomicHousekeeping(async (tx) => {
    const first =
      await tx.$executeRaw`INSERT INTO notification_digests (organization_id, user_id, day, created_at)
      VALUES (${organizationId}, ${userId}, ${midnight(today)}::date, ${now}) ON CONFLICT DO NOTHING`;
    if (first === 0) return;
    const items = await insertNotifications(tx, recipient, await unsentItems(tx, recipient));
    const mailId = await queueNotice(tx, recipient, "digest", items);
    if (mailId === null) return;
    await tx.notificationDigest.update({
      where: { organizationId_userId_day: { organizationId, userId, day: midnight(today) } },
      data: { mailId },
    });
  }, limits);
}

/**
 * Sends what came up since the digest and cannot wait for the next one. Locks the digest's row, so that two runs do not
 * send the same.
 */
export async function sendUrgent(recipient: Recipient): Promise<void> {
  const { organizationId, userId, today } = recipient;
  if (recipient.isQuiet) return;
  await atomicHousekeeping(async (tx) => {
    const digest = await tx.$queryRaw<unknown[]>`SELECT 1 FROM notification_digests
      WHERE organization_id = ${organizationId} AND user_id = ${userId} AND day = ${midnight(today)}::date FOR UPDATE`;
    if (digest.length === 0) return;
    const items = await insertNotifications(
      tx,
      recipient,
      (await unsentItems(tx, recipient)).filter(isUrgent),
    );
    await queueNotice(tx, recipient, "urgent", items);
  }, limits);
}

/** Whether to postpone an e-mailed kind on a quiet day: once its row is written, no e-mail of it is sent. */
const isPostponed = ({ isQuiet, channels }: Recipient, kind: NotificationKind) =>
  isQuiet && channels[kind] === "EMAIL" && sendsMail();

/** A limit that keeps the change short; the rest is sent a minute later. */
const maxItemsPerMail = 200;

/** Sends what others assigned to the member, in one e-mail. */
export async function sendAssignments(recipient: Recipient): Promise<void> {
  const { organizationId, userId, today } = recipient;
  if (isPostponed(recipient, "ASSIGNMENT")) return;
  await atomicHousekeeping(async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; contractId: string; updatedAt: Date }[]>`
      UPDATE obligations SET assignee_told = assignee_id WHERE organization_id = ${organizationId} AND id IN (
        SELECT id FROM obligations WHERE organization_id = ${organizationId} AND assignee_id = ${userId}
          AND assignee_told IS DISTINCT FROM assignee_id AND NOT archived AND state = 'OPEN'
        ORDER BY id LIMIT ${maxItemsPerMail} FOR UPDATE SKIP LOCKED)
      RETURNING id, contract_id AS "contractId", updated_at AS "updatedAt"`;
    const items = rows.map(
      ({ id, contractId, updatedAt }): Item => ({
        kind: "ASSIGNMENT",
        subjectId: id,
        contractId,
        date: today,
        stage: 0,
        // An existing row of today belongs to an earlier assignment.
        reassignedAt: updatedAt,
      }),
    );
    await queueNotice(tx, recipient, "assignments", await insertNotifications(tx, recipient, items));
  }, limits);
}

/** Sends the comments that mention the member, in one e-mail, without their text. */
export async function sendMentions(recipient: Recipient): Promise<void> {
  const { organizationId, userId, today } = recipient;
  if (isPostponed(recipient, "MENTION")) return;
  await atomicHousekeeping(async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; contractId: string }[]>`
      UPDATE comments SET untold_ids = array_remove(untold_ids, ${userId})
      WHERE organization_id = ${organizationId} AND id IN (
        SELECT id FROM comments WHERE organization_id = ${organizationId} AND untold_ids <> '{}'
          AND ${userId} = ANY(untold_ids) ORDER BY id LIMIT ${maxItemsPerMail} FOR UPDATE SKIP LOCKED)
      RETURNING id, contract_id AS "contractId"`;
    const items = rows.map(
      ({ id, contractId }): Item => ({ kind: "MENTION", subjectId: id, contractId, date: today, stage: 0 }),
    );
    await queueNotice(tx, recipient, "mentions", await insertNotifications(tx, recipient, items));
  });
}

/** Sends requests for the member's approval, and answers to their own requests, in one e-mail. */
export async function sendApprovals(recipient: Recipient): Promise<void> {
  await atomicHousekeeping(async (tx) => {
    const items = (await approvalItems(tx, recipient, maxItemsPerMail)).filter(
      ({ kind }) => !isPostponed(recipient, kind),
    );
    await queueNotice(tx, recipient, "approvals", await insertNotifications(tx, recipient, items));
  }, limits);
}

/** Writes the notifications' rows; returns those that are new. Kinds that are off are skipped. */
async function insertNotifications(tx: Transaction, recipient: Recipient, items: Item[]): Promise<Item[]> {
  const wanted = items.filter(({ kind }) => recipient.channels[kind] !== "OFF");
  if (wanted.length === 0) return [];
  const { organizationId, userId } = recipient;
  const written = [];
  for (let at = 0; at < wanted.length; at += maxRowsPerInsert) {
    const data = wanted.slice(at, at + maxRowsPerInsert).map(({ reassignedAt, ...item }) => ({
      ...item,
      ...{
        organizationId,
        userId,
        date: midnight(item.date),
        createdAt: createdAtOf(recipient, reassignedAt),
      },
      id: newId("notification"),
    }));
    const select = { subjectId: true, kind: true, stage: true };
    written.push(...(await tx.notification.createManyAndReturn({ data, skipDuplicates: true, select })));
  }
  const keyOf = ({ subjectId, kind, stage }: Pick<Item, "subjectId" | "stage"> & { kind: string }) =>
    `${kind} ${subjectId} ${stage}`;
  const fresh = new Set(written.map(keyOf));
  for (const item of wanted) {
    if (!fresh.has(keyOf(item)) && (await isNewAgain(tx, recipient, item))) fresh.add(keyOf(item));
  }
  return wanted.filter((item) => fresh.has(keyOf(item)));
}

/** The server that reassigned the subject may have a clock slightly ahead: the notification must not be older. */
const createdAtOf = ({ now }: Recipient, reassignedAt: Date | null = null) =>
  reassignedAt && reassignedAt > now ? reassignedAt : now;

/** Marks a notification as unread and not done if its subject was reassigned to the member since then. */
async function isNewAgain(
  tx: Transaction,
  recipient: Recipient,
  { reassignedAt, ...item }: Item,
): Promise<boolean> {
  if (!reassignedAt) return false;
  const { organizationId, userId } = recipient;
  const { count } = await tx.notification.updateMany({
    where: { ...item, organizationId, userId, date: midnight(item.date), createdAt: { lt: reassignedAt } },
    data: { createdAt: createdAtOf(recipient, reassignedAt), readAt: null, doneAt: null },
  });
  return count > 0;
}

/**
 * Queues the e-mail with the kinds that the member wants by e-mail; returns its id, or null if there is nothing to
 * send.
 */
async function queueNotice(
  tx: Transaction,
  recipient: Recipient,
  what: "urgent" | Unsubscribable,
  items: Item[],
): Promise<string | null> {
  const { organizationId, userId, name, email, workspaceName, today, now } = recipient;
  const mailed = items.filter(({ kind }) => recipient.channels[kind] === "EMAIL");
  if (mailed.length === 0 || !sendsMail()) return null;
  const which: Unsubscribable = what === "urgent" ? "digest" : what;
  const token = unsubscribeToken({ organizationId, userId, what: which });
  const { BASE_URL } = settings();
  const data = {
    ...{ workspaceName, what, day: dayInWords(today) },
    sections: await sectionsOf(tx, recipient, mailed),
    stillOpen: what === "digest" ? await countOpen(tx, recipient) : null,
    inboxUrl: `${BASE_URL}/inbox`,
    settingsUrl: `${BASE_URL}/settings/notifications`,
    unsubscribe: { page: unsubscribePage(token), address: unsubscribeAddress(token) },
  };
  const id = randomUUID();
  await queueMail(
    tx,
    { organizationId, now },
    { template: "notice", to: { address: email, name }, data },
    id,
  );
  return id;
}

/** Counts all open items, including those that the member was already notified of. */
async function countOpen(tx: Transaction, { organizationId, userId, today }: Recipient) {
  const [counts] = await tx.$queryRaw<{ overdue: number; due: number; approvals: number }[]>`
    SELECT (SELECT count(*)::int FROM approvals_asked_now a
        WHERE a.organization_id = ${organizationId} AND a.user_id = ${userId}) AS approvals,
      (count(*) FILTER (WHERE o.resolved_date < ${today}::date))::int AS overdue,
      (count(*) FILTER (WHERE o.resolved_date >= ${today}::date))::int AS due
    FROM obligations o JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
    WHERE o.organization_id = ${organizationId} AND NOT o.archived AND o.state = 'OPEN'
      AND o.resolved_date <= ${today}::date + 30 AND COALESCE(o.assignee_id, c.owner_id) = ${userId}`;
  return counts ?? { overdue: 0, due: 0, approvals: 0 };
}
