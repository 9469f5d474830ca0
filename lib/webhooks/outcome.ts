/** Writes the outcomes of attempts: the deliveries' next state, and the failures of their endpoints. */
import { clock } from "#lib/core/clock.ts";
import { query } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import type { AttemptInput, Result } from "./attempt.ts";

/** A delivery that a worker has claimed. */
export interface Claim extends AttemptInput {
  organizationId: string;
  endpointId: string;
  attemptCount: number;
  endpointStatus: string;
  disabledReason: string | null;
}

/** An attempt's result, and in how many seconds the next attempt is due: null for none. */
export interface Outcome {
  claim: Claim;
  result: Result;
  delay: number | null;
}

/** An endpoint whose deliveries have all failed for this long is disabled. */
export const failingDays = 5;

/** An endpoint, as `<organization id> <endpoint id>`. */
export const endpointOf = ({ organizationId, endpointId }: Claim) => `${organizationId} ${endpointId}`;

export function outcomeOf(claim: Claim, result: Result): Outcome {
  return { claim, result, delay: result.error === null ? null : delayOf(claim.attemptCount, result) };
}

/** Seconds until the next attempt, ±10 % so that deliveries that failed together are not retried together. */
function delayOf(attemptsBefore: number, { statusCode, retryAfterSeconds }: Result): number | null {
  const scheduled = settings().WEBHOOK_RETRY_SCHEDULE[attemptsBefore];
  if (scheduled === undefined || statusCode === 410) return null;
  return Math.max(scheduled * (0.9 + Math.random() * 0.2), retryAfterSeconds);
}

function statusOf({ result, delay }: Outcome): string {
  if (result.error === null) return "SUCCEEDED";
  return delay === null ? "FAILED" : "RETRYING";
}

/**
 * Writes attempts of one workspace, in the order in which they ended, and their consequences, in one statement: the
 * deliveries' next attempts or their end, and their endpoints' failures. Skips a delivery that another worker has taken
 * over in the meantime. Returns the endpoints that have failed for `failingDays`. Not an audited change: an attempt
 * alters nothing that a member of the workspace decides.
 */
export async function writeOutcomes(
  worker: string,
  organizationId: string,
  outcomes: Outcome[],
): Promise<Set<string>> {
  const column = <T>(value: (outcome: Outcome) => T) => outcomes.map(value);
  const endpoints = await query<{ endpoint: string; hasFailedForDays: boolean }>(statement, [
    worker,
    organizationId,
    column(({ claim }) => claim.id),
    column(({ claim }) => claim.endpointId),
    column(statusOf),
    column(({ delay }) => delay),
    column(({ result }) => result.at.toISOString()),
    column(({ result }) => result.statusCode),
    column(({ result }) => result.durationMs),
    column(({ result }) => result.error),
    column(({ result }) => result.responseBody),
    clock().toISOString(),
    failingDays,
  ]);
  const failing = endpoints.filter(({ hasFailedForDays }) => hasFailedForDays);
  return new Set(failing.map(({ endpoint }) => endpoint));
}

/** Locks endpoints in a fixed order, so that two workers that write to the same ones wait but do not deadlock. */
const statement = `
  WITH outcome AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::float8[], $7::timestamptz[],
      $8::int[], $9::int[], $10::text[], $11::text[]) WITH ORDINALITY
    AS o (id, endpoint_id, status, delay, at, status_code, duration_ms, error, body, position)),
  done AS (
    UPDATE deliveries d SET status = o.status, claimed_by = NULL, attempt_count = d.attempt_count + 1,
      next_attempt_at = $12::timestamptz + make_interval(secs => o.delay),
      ended_at = CASE WHEN o.status <> 'RETRYING' THEN $12::timestamptz END,
      last_attempt_at = o.at, last_status_code = o.status_code, last_error = o.error
    FROM outcome o
    WHERE d.organization_id = $2 AND d.id = o.id AND d.claimed_by = $1
    RETURNING d.attempt_count, o.*),
  written AS (
    INSERT INTO delivery_attempts
      (organization_id, delivery_id, number, at, status_code, duration_ms, error, response_body)
    SELECT $2, id, attempt_count, at, status_code, duration_ms, error, body FROM done),
  told AS (
    SELECT endpoint_id, last_success > 0 AS has_succeeded,
      count(*) FILTER (WHERE position > last_success)::int AS failures,
      min(at) FILTER (WHERE position > last_success) AS failing_since
    FROM (SELECT *, max(CASE WHEN error IS NULL THEN position ELSE 0 END)
      OVER (PARTITION BY endpoint_id) AS last_success FROM done) AS d
    GROUP BY endpoint_id, last_success),
  locked AS (
    SELECT w.id FROM webhook_endpoints w JOIN told t ON w.organization_id = $2 AND w.id = t.endpoint_id
    WHERE t.failures > 0 OR w.consecutive_failures > 0
    ORDER BY w.id FOR NO KEY UPDATE OF w)
  UPDATE webhook_endpoints w SET
    consecutive_failures = t.failures + CASE WHEN t.has_succeeded THEN 0 ELSE w.consecutive_failures END,
    failing_since = CASE WHEN t.failures = 0 THEN NULL WHEN t.has_succeeded THEN t.failing_since
      ELSE COALESCE(w.failing_since, t.failing_since) END
  FROM told t, locked l
  WHERE w.organization_id = $2 AND w.id = t.endpoint_id AND w.id = l.id
  RETURNING w.organization_id || ' ' || w.id AS endpoint,
    COALESCE(w.failing_since <= $12::timestamptz - make_interval(days => $13::int), false) AS "hasFailedForDays"`;

/** Ends a claimed delivery without an attempt, because its endpoint is disabled. */
export async function giveUp(worker: string, claim: Claim): Promise<void> {
  const reason = claim.disabledReason ? `: ${claim.disabledReason}` : ".";
  await query(
    `UPDATE deliveries SET status = 'FAILED', claimed_by = NULL, next_attempt_at = NULL,
       ended_at = $5::timestamptz, last_error = $4
     WHERE organization_id = $1 AND id = $2 AND claimed_by = $3`,
    [claim.organizationId, claim.id, worker, `The endpoint was disabled${reason}`, clock().toISOString()],
  );
}
