/**
 * Signs the end of each workspace's audit log before any event is a day old. Verifies the log since the last checkpoint
 * first: a log that was tampered with is never signed, and the workspace's owners are notified.
 */
import { verifyAudit } from "#lib/audit/verify.ts";
import { change, changeUnaudited } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { query } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { newId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { mailOwners } from "#lib/people/members/owners-mail.ts";
import { sealingKey } from "#lib/signatures/seal/keys.ts";
import { type Checkpoint, signCheckpoint } from "./file.ts";
import { brokenHistories, eventIdAt } from "./histories.ts";
import {
  checkpointIdOf,
  readStoredCheckpoint,
  recordInvalidLog,
  storeCheckpoint,
  storedCheckpoints,
} from "./store.ts";
import { readTrusted } from "./trusted.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The job runs every hour, so an event must be covered an hour early. */
const oldestMs = dayMs - 60 * 60 * 1000;

/** Signs a checkpoint for every workspace that is due for one. */
export async function signCheckpoints(now = clock()): Promise<void> {
  for (const id of await dueForCheckpoint(now)) {
    await signCheckpointOf(systemContext(id, "checkpoint", now)).catch((error) =>
      log().error({ organizationId: id, error: (error as Error).stack }, "no checkpoint was signed"),
    );
  }
}

/** Returns the workspaces with an event of at least 23 hours that no checkpoint covers. */
export async function dueForCheckpoint(now: Date): Promise<string[]> {
  const due = await query<{ id: string }>(
    `SELECT h.organization_id AS id FROM workspace_heads h
     LEFT JOIN LATERAL (
       SELECT (payload -> 'changes' -> 'seq' ->> 'to')::bigint AS seq FROM audit_events
       WHERE organization_id = h.organization_id AND action = 'AUDIT_CHECKPOINT_SIGNED'
       ORDER BY seq DESC LIMIT 1) AS covered ON true
     JOIN LATERAL (
       SELECT created_at FROM audit_events
       WHERE organization_id = h.organization_id AND seq > COALESCE(covered.seq, 0)
         AND action <> 'AUDIT_CHECKPOINT_SIGNED'
       ORDER BY seq LIMIT 1) AS oldest ON oldest.created_at <= $1::timestamptz`,
    [new Date(now.getTime() - oldestMs).toISOString()],
  );
  return due.map(({ id }) => id);
}

/** Signs the end of a workspace's log. Returns null if there is nothing new, or if the log is not valid. */
export async function signCheckpointOf(ctx: Context): Promise<Checkpoint | null> {
  const { organizationId } = ctx;
  const before = await newest(ctx);
  if (typeof before === "string") return refuse(ctx, before);
  const verdict = await verifyAudit(organizationId, before ?? undefined);
  if (verdict.problem) return refuse(ctx, verdict.problem.reason);
  const [broken] = await brokenHistories(organizationId, before?.at);
  if (broken) return refuse(ctx, broken.reason);
  const isNew = await query<{ seq: string }>(
    `SELECT seq FROM audit_events WHERE organization_id = $1 AND seq > $2::bigint
       AND action <> 'AUDIT_CHECKPOINT_SIGNED' LIMIT 1`,
    [organizationId, before?.seq ?? "0"],
  );
  if (isNew.length === 0) return null;
  const checkpoint: Checkpoint = {
    ...{ version: 1, id: newId("checkpoint"), organizationId, at: ctx.now.toISOString() },
    ...{ seq: verdict.seq, hash: verdict.head },
    signatureRequests: await grownSince(organizationId, before?.at),
  };
  const text = await signCheckpoint(checkpoint, await sealingKey(ctx));
  // Stores the file first, so that every checkpoint that the log names exists.
  await storeCheckpoint(checkpoint, text);
  await change(ctx, async (tx, record) => {
    record({
      action: "AUDIT_CHECKPOINT_SIGNED",
      target: { type: "audit_checkpoint", id: checkpoint.id },
      changes: {
        seq: { from: before?.seq ?? null, to: checkpoint.seq },
        hash: { from: before?.hash ?? null, to: checkpoint.hash },
      },
    });
    if (settings().AUDIT_CHECKPOINT_MAIL === "on") await mailOwners(tx, ctx, letterOf(checkpoint, text));
  });
  return checkpoint;
}

/** Reads the last checkpoint in storage, or returns what is wrong with it. Does not trust the log to name it. */
async function newest({ organizationId }: Context): Promise<Checkpoint | string | null> {
  const name = (await storedCheckpoints(organizationId)).at(-1);
  if (name === undefined) return null;
  const found = await readTrusted(organizationId, await readStoredCheckpoint(name));
  return (
    found.checkpoint ?? `The checkpoint ${checkpointIdOf(name)} in storage does not hold: ${found.problem}`
  );
}

async function grownSince(
  organizationId: string,
  at: string | undefined,
): Promise<Checkpoint["signatureRequests"]> {
  const since = at === undefined ? "" : eventIdAt(at);
  return query(
    `SELECT id, event_count AS events, event_hash AS hash FROM envelopes
     WHERE organization_id = $1 AND event_count > 0 AND id IN (
       SELECT envelope_id FROM signing_events WHERE organization_id = $1 AND id > $2)
     ORDER BY id`,
    [organizationId, since],
  );
}

/** Signs nothing and reports why: in the server's log each time, to the owners once a day. */
async function refuse(ctx: Context, reason: string): Promise<null> {
  const { organizationId } = ctx;
  log().error({ organizationId, reason }, "the audit log does not verify: no checkpoint is signed");
  if (await recordInvalidLog(organizationId, ctx.now, reason)) {
    await changeUnaudited(ctx, (tx) =>
      mailOwners(tx, ctx, (workspaceName) => ({
        template: "audit-broken",
        data: { workspaceName, organizationId, reason },
      })),
    );
  }
  return null;
}

const letterOf = (checkpoint: Checkpoint, text: string) => (workspaceName: string) => ({
  template: "audit-checkpoint" as const,
  data: {
    ...{ workspaceName, text, at: checkpoint.at, seq: checkpoint.seq, hash: checkpoint.hash },
    fileName: `checkpoint-${checkpoint.organizationId}-${checkpoint.seq}.json`,
  },
});
