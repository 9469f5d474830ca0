/** Which deliveries are due, and which worker is at them. Housekeeping of the sender; no change. */
import { clock } from "#lib/core/clock.ts";
import { query } from "#lib/core/db.ts";
import type { Claim } from "./outcome.ts";

/** An endpoint, as `<organization id> <endpoint id>`, and how many of its deliveries may be begun. */
export interface Room {
  endpoint: string;
  free: number;
}

/**
 * Claims, of each endpoint, the longest due as far as it has room for them. Two workers never get the same. One workspace
 * after the other: those of several may lie in several databases.
 */
export async function claimDue(worker: string, wanted: Room[]): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const [organizationId, rooms] of Map.groupBy(wanted, ({ endpoint }) => endpoint.split(" ")[0]!))
    claims.push(...(await claimOf(organizationId, worker, rooms)));
  return claims;
}

/** The commit does not wait for the disk: a claim that a crash of the database undoes is made again. */
async function claimOf(organizationId: string, worker: string, rooms: Room[]): Promise<Claim[]> {
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

/** The endpoints for which something is due now or within this time: one look into the index each. */
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

/** Gives an endpoint's claims back as they were: the same deliveries will be sent, or sent again. */
export async function unclaim(worker: string, endpoint: string, claims: Claim[]): Promise<void> {
  await query(
    `UPDATE deliveries SET claimed_by = NULL
     WHERE organization_id = $2 AND id = ANY($3::text[]) AND claimed_by = $1`,
    [worker, endpoint.split(" ")[0], claims.map(({ id }) => id)],
  );
}

/** Gives back what was claimed in this worker's name and it does not know of: the answer to the claim got lost. */
export async function unclaimAllBut(worker: string, known: string[]): Promise<void> {
  await query("UPDATE deliveries SET claimed_by = NULL WHERE claimed_by = $1 AND id <> ALL($2::text[])", [
    worker,
    known,
  ]);
}
