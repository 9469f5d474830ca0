/** Scheduled work on signature requests: reminders, deadlines, and sealing jobs that were lost. */
import { change } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { query } from "#lib/core/db.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import { endRequest } from "./endings.ts";
import { isOutForSignature, isPastDeadline, signersOnTurn } from "./lifecycle.ts";
import { remindSigner } from "./notices.ts";
import { enqueueSealing } from "./queue.ts";
import { auditSubject, lockRow } from "./rows.ts";
import { outForSignatureSql, pastDeadlineSql, waitingSql } from "./turns.ts";

const dayMs = 24 * 60 * 60 * 1000;
const firstReminderMs = 3 * dayMs;
const nextReminderMs = 5 * dayMs;
const maxReminders = 5;

type Found = { organizationId: string; id: string };

/** Runs the work for each; a failure is logged and does not stop the others. */
async function each(
  name: string,
  found: Found[],
  now: Date,
  work: (ctx: Context, id: string) => Promise<void>,
) {
  for (const { organizationId, id } of found) {
    await work(systemContext(organizationId, name, now), id).catch((error) =>
      log().error({ organizationId, envelopeId: id, error: (error as Error).stack }, `${name} failed`),
    );
  }
}

/** Ends the requests whose deadline has passed. */
export async function expireRequests(now = clock()): Promise<void> {
  const found = await query<Found>(
    `SELECT organization_id AS "organizationId", id FROM envelopes e
     WHERE ${outForSignatureSql} AND ${pastDeadlineSql("$1")}`,
    [now.toISOString()],
  );
  await each("calendar", found, now, expireRequest);
}

/** Ends one request, if its deadline has passed. */
export async function expireRequest(ctx: Context, envelopeId: string): Promise<void> {
  await change(ctx, async (tx, record) => {
    const row = await lockRow(tx, ctx, envelopeId);
    if (!isOutForSignature(row.status) || !isPastDeadline(row, ctx.now)) return;
    await endRequest(tx, ctx, record, row, { status: "EXPIRED", by: "", reason: "The deadline passed" });
  });
}

/** Reminds signers whose turn it is: after 3 days, then every 5, at most 5 times. */
export async function remindSigners(now = clock()): Promise<void> {
  const found = await query<Found>(
    `SELECT DISTINCT e.organization_id AS "organizationId", e.id
     FROM envelopes e JOIN signers s ON s.organization_id = e.organization_id AND s.envelope_id = e.id
     WHERE ${outForSignatureSql} AND s.notified_at <= $1::timestamptz AND s.reminder_count < ${maxReminders} AND ${waitingSql}`,
    [new Date(now.getTime() - firstReminderMs).toISOString()],
  );
  await each("calendar", found, now, remindDue);
}

/** Sends the reminders that are due for one request. */
export async function remindDue(ctx: Context, envelopeId: string): Promise<void> {
  await change(ctx, async (tx, record) => {
    const row = await lockRow(tx, ctx, envelopeId);
    if (!isOutForSignature(row.status) || isPastDeadline(row, ctx.now)) return;
    const due = signersOnTurn(row).filter((signer) => isReminderDue(signer, ctx.now));
    for (const signer of due) await remindSigner(tx, ctx, row, signer);
    if (due.length > 0) record({ action: "SIGNATURE_REQUEST_REMINDED", ...auditSubject(row) });
  });
}

/** Counted from the last time the signer was asked or reminded, automatically or by a member. */
function isReminderDue(
  signer: { notifiedAt: Date | null; remindedAt: Date | null; reminderCount: number },
  now: Date,
): boolean {
  if (!signer.notifiedAt || signer.reminderCount >= maxReminders) return false;
  const due = signer.remindedAt
    ? signer.remindedAt.getTime() + nextReminderMs
    : signer.notifiedAt.getTime() + firstReminderMs;
  return due <= now.getTime();
}

/** A sealing job that is this late is considered lost. */
const lateMs = 10 * 60 * 1000;

/** Enqueues a job for every SEALING request that has lost its own. */
export async function resumeSealing(now = clock()): Promise<void> {
  const before = new Date(now.getTime() - lateMs).toISOString();
  const found = await query<Found>(
    `SELECT organization_id AS "organizationId", id FROM envelopes
     WHERE status = 'SEALING' AND updated_at < $1::timestamptz
       AND COALESCE(seal_tried_at, updated_at) < $1::timestamptz
       AND COALESCE(next_seal_at, updated_at) < $1::timestamptz`,
    [before],
  );
  for (const envelope of found) {
    await atomicHousekeeping((tx) => enqueueSealing(tx, systemContext(envelope.organizationId), envelope.id));
  }
}
