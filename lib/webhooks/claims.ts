/** Finds due deliveries and claims them for a worker. Housekeeping of the sender, not audited changes. */
import { clock } from "#lib/core/clock.ts";
import { query } from "#lib/core/db.ts";
import type { Claim } from "./outcome.ts";

/** An endpoint, as `<organization id> <endpoint id>`, and how many of its deliveries may be claimed. */
export interface ClaimCapacity {
  endpoint: string;
  free: number;
}

/**
 * Claims the deliveries of each endpoint that have been due longest, up to its room. Two workers never claim the same
 * delivery. Handles one workspace after the other, because workspaces may be in different databases.
 */
export async function claimDue(worker: string, wanted: ClaimCapacity[]): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const [organizationId, rooms] of Map.groupBy(wanted, ({ endpoint }) => endpoint.split(" ")[0]!))
    claims.push(...(await claimOf(organizationId, worker, rooms)));
  return claims;
}

/** The commit does not wait for the disk: a claim that a database crash loses is made again. */
async function claimOf(organizationId: string, worker: string, rooms: ClaimCapacity[]): Promise<Claim[]> {
  return query<Claim>(
    `WITH hasty AS (SELECT set_config('synchronous_commit', 'off', true)),
     due AS (
       SELECT d.id
       FROM unnest($3::text[], $4::int[]) AS wanted (endpoint_id, free),
         LATERAL (SELECT id FROM deliveries
           WHERE organization_id = $2 AND endpoint_id = wanted.endpoint_id
             AND claimed_by IS NULL AND next_attempt_at <= $5::timestamptz
           ORDER BY next_attempt_at, id LIMIT wanted.free FOR UPDATE SKIP LOCKED) AS d),
     claimed AS (
       UPDATE deliveries d SET claimed_by = $1 FROM due
       WHERE d.organization_id = $2 AND d.id = due.id
       RETURNING d.organization_id, d.id, d.endpoint_id, d.event_id, d.attempt_count)
     SELECT c.organization_id AS "organizationId", c.id, c.endpoint_id AS "endpointId",
       c.attempt_count AS "attemptCount", e.payload, w.url, w.status AS "endpointStatus",
       w.disabled_reason AS "disabledReason", w.secret,
       CASE WHEN w.previous_secret_until > $5::timestamptz THEN w.previous_secret END AS "previousSecret"
     FROM hasty, claimed c
     JOIN events e ON e.organization_id = c.organization_id AND e.id = c.event_id
     JOIN webhook_endpoints w ON w.organization_id = c.organization_id AND w.id = c.endpoint_id`,
    [
      worker,
      organizationId,
      rooms.map(({ endpoint }) => endpoint.split(" ")[1]),
      rooms.map(({ free }) => free),
      clock().toISOString(),
    ],
  );
}

/** Returns the endpoints with a delivery due now or within this time, with one index lookup per endpoint. */
export async function findDue(withinMs: number): Promise<{ endpoint: string; inMs: number }[]> {
  return query(
    `SELECT w.organization_id || ' ' || w.id AS endpoint,
       (extract(epoch FROM d.next_attempt_at - $2::timestamptz) * 1000)::float8 AS "inMs"
     FROM webhook_endpoints w, LATERAL (SELECT next_attempt_at FROM deliveries
       WHERE organization_id = w.organization_id AND endpoint_id = w.id AND claimed_by IS NULL
         AND next_attempt_at <= $2::timestamptz + make_interval(secs => $1::float8)
       ORDER BY next_attempt_at LIMIT 1) AS d`,
    [withinMs / 1000, clock().toISOString()],
  );
}

/** Releases an endpoint's claims without other changes, so that the deliveries are sent, possibly again. */
export async function unclaim(worker: string, endpoint: string, claims: Claim[]): Promise<void> {
  await query(
    `UPDATE deliveries SET claimed_by = NULL
     WHERE organization_id = $2 AND id = ANY($3::text[]) AND claimed_by = $1`,
    [worker, endpoint.split(" ")[0], claims.map(({ id }) => id)],
  );
}

/** Releases claims of this worker that it does not know of: the response to the claiming statement got lost. */
export async function releaseUnknownClaims(worker: string, known: string[]): Promise<void> {
  await query("UPDATE deliveries SET claimed_by = NULL WHERE claimed_by = $1 AND id <> ALL($2::text[])", [
    worker,
    known,
  ]);
}
