/** What becomes of a delivery after an attempt, and of an endpoint that keeps failing. */
import { systemContext } from "#lib/context.ts";
import { query } from "#lib/db.ts";
import { settings } from "#lib/env.ts";
import type { Letter, Result } from "./attempt.ts";
import { disableFailing, disableUnwanted } from "./disable.ts";

/** A delivery that a worker is at. */
export interface Claim extends Letter {
  organizationId: string;
  endpointId: string;
  attemptCount: number;
  endpointStatus: string;
  disabledReason: string | null;
}

const failingDays = 5;

/**
 * Writes an attempt and what follows from it, in one statement: the delivery's next attempt or its end, and
 * the endpoint's failures. Nothing is written when another worker has taken the claim over meanwhile.
 * Answers in how many seconds the next attempt is due, or null. No change: an attempt alters nothing that a
 * member of the workspace decides about.
 */
export async function settle(worker: string, claim: Claim, result: Result): Promise<number | null> {
  const delay = result.error === null ? null : delayOf(claim.attemptCount, result);
  const status = result.error === null ? "SUCCEEDED" : delay === null ? "FAILED" : "RETRYING";
  const [after] = await query<{ hasFailedForDays: boolean }>(statement, [
    claim.organizationId,
    claim.id,
    claim.endpointId,
    worker,
    status,
    delay,
    result.at.toISOString(),
    result.statusCode,
    result.durationMs,
    result.error,
    result.responseBody,
    failingDays,
  ]);
  const ctx = systemContext(claim.organizationId, "webhooks");
  if (result.statusCode === 410) await disableUnwanted(ctx, claim.endpointId);
  else if (after?.hasFailedForDays) await disableFailing(ctx, claim.endpointId, failingDays);
  return delay;
}

const statement = `
  WITH done AS (
    UPDATE deliveries SET status = $5, claimed_by = NULL, attempt_count = attempt_count + 1,
      next_attempt_at = now() + make_interval(secs => $6::float8),
      ended_at = CASE WHEN $5 <> 'RETRYING' THEN now() END,
      last_attempt_at = $7::timestamptz, last_status_code = $8::int, last_error = $10::text
    WHERE organization_id = $1 AND id = $2 AND claimed_by = $4
    RETURNING attempt_count),
  written AS (
    INSERT INTO delivery_attempts
      (organization_id, delivery_id, number, at, status_code, duration_ms, error, response_body)
    SELECT $1, $2, attempt_count, $7::timestamptz, $8::int, $9::int, $10::text, $11::text FROM done)
  UPDATE webhook_endpoints SET
    consecutive_failures = CASE WHEN $10::text IS NULL THEN 0 ELSE consecutive_failures + 1 END,
    failing_since = CASE WHEN $10::text IS NOT NULL THEN COALESCE(failing_since, $7::timestamptz) END
  WHERE organization_id = $1 AND id = $3 AND ($10::text IS NOT NULL OR consecutive_failures > 0)
    AND EXISTS (SELECT 1 FROM done)
  RETURNING COALESCE(failing_since <= now() - make_interval(days => $12::int), false) AS "hasFailedForDays"`;

/** Ends a claimed delivery without an attempt: its endpoint gets nothing any more. */
export async function giveUp(worker: string, claim: Claim): Promise<void> {
  const reason = claim.disabledReason ? `: ${claim.disabledReason}` : ".";
  await query(
    `UPDATE deliveries SET status = 'FAILED', claimed_by = NULL, next_attempt_at = NULL, ended_at = now(),
       last_error = $4
     WHERE organization_id = $1 AND id = $2 AND claimed_by = $3`,
    [claim.organizationId, claim.id, worker, `The endpoint was disabled${reason}`],
  );
}

/** Seconds until the next attempt, ±10 % so that what failed together does not come back together. */
function delayOf(attemptsBefore: number, { statusCode, retryAfterSeconds }: Result): number | null {
  const scheduled = settings().WEBHOOK_RETRY_SCHEDULE[attemptsBefore];
  if (scheduled === undefined || statusCode === 410) return null;
  return Math.max(scheduled * (0.9 + Math.random() * 0.2), retryAfterSeconds);
}
