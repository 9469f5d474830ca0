/** Which deliveries are due, and which worker is at them. Housekeeping of the sender; no change. */
import { query } from "#lib/db.ts";
import type { Claim } from "./outcome.ts";

/** An endpoint, as `<organization id> <endpoint id>`, and how many of its deliveries may be begun. */
export interface Room {
  endpoint: string;
  free: number;
}

/** Claims, of each endpoint, the longest due as far as it has room for them. Two workers never get the same. */
export async function claimDue(worker: string, wanted: Room[]): Promise<Claim[]> {
  return query<Claim>(
    `WITH due AS (
       SELECT d.organization_id, d.id
       FROM unnest($2::text[], $3::text[], $4::int[]) AS wanted (organization_id, endpoint_id, free),
         LATERAL (SELECT organization_id, id FROM deliveries
           WHERE organization_id = wanted.organization_id AND endpoint_id = wanted.endpoint_id
             AND claimed_by IS NULL AND next_attempt_at <= now()
           ORDER BY next_attempt_at, id LIMIT wanted.free FOR UPDATE SKIP LOCKED) AS d),
     claimed AS (
       UPDATE deliveries d SET claimed_by = $1 FROM due
       WHERE d.organization_id = due.organization_id AND d.id = due.id
       RETURNING d.organization_id, d.id, d.endpoint_id, d.event_id, d.attempt_count)
     SELECT c.organization_id AS "organizationId", c.id, c.endpoint_id AS "endpointId",
       c.attempt_count AS "attemptCount", e.payload, w.url, w.status AS "endpointStatus",
       w.disabled_reason AS "disabledReason", w.secret,
       CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS "previousSecret"
     FROM claimed c
     JOIN events e ON e.organization_id = c.organization_id AND e.id = c.event_id
     JOIN webhook_endpoints w ON w.organization_id = c.organization_id AND w.id = c.endpoint_id`,
    [
      worker,
      wanted.map(({ endpoint }) => endpoint.split(" ")[0]),
      wanted.map(({ endpoint }) => endpoint.split(" ")[1]),
      wanted.map(({ free }) => free),
    ],
  );
}

/** The endpoints for which something is due now or within this time: one look into the index each. */
export async function findDue(withinMs: number): Promise<{ endpoint: string; inMs: number }[]> {
  return query(
    `SELECT w.organization_id || ' ' || w.id AS endpoint,
       (extract(epoch FROM d.next_attempt_at - now()) * 1000)::float8 AS "inMs"
     FROM webhook_endpoints w, LATERAL (SELECT next_attempt_at FROM deliveries
       WHERE organization_id = w.organization_id AND endpoint_id = w.id AND claimed_by IS NULL
         AND next_attempt_at <= now() + make_interval(secs => $1::float8)
       ORDER BY next_attempt_at LIMIT 1) AS d`,
    [withinMs / 1000],
  );
}

/** Gives a claim back as it was: the same delivery will be sent again. */
export async function unclaim(worker: string, { organizationId, id }: Claim): Promise<void> {
  await query(
    "UPDATE deliveries SET claimed_by = NULL WHERE organization_id = $1 AND id = $2 AND claimed_by = $3",
    [organizationId, id, worker],
  );
}

/** Gives back what was claimed in this worker's name and is not running: the answer to the claim got lost. */
export async function unclaimAllBut(worker: string, running: string[]): Promise<void> {
  await query("UPDATE deliveries SET claimed_by = NULL WHERE claimed_by = $1 AND id <> ALL($2::text[])", [
    worker,
    running,
  ]);
}
