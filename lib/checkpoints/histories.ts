/** Verifies the histories of signature requests, and reports what does not fit. */
import { systemContext } from "#lib/core/context.ts";
import { db, query } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { firstBrokenLink } from "#lib/signatures/chain.ts";
import { chainOf } from "#lib/signatures/events.ts";

export interface BrokenHistory {
  envelopeId: string;
  reason: string;
}

const batch = 500;

/** An event gets its id shortly before it is committed. */
const leewayMs = 60 * 60 * 1000;

/** Returns an id below those of all events that were not yet committed at a time. */
export const eventIdAt = (moment: string) => newId("signingEvent", new Date(Date.parse(moment) - leewayMs));

/** Returns the requests of a workspace whose events do not fit together; with `since`, only those with later events. */
export async function brokenHistories(organizationId: string, since?: string): Promise<BrokenHistory[]> {
  const event = since === undefined ? "" : eventIdAt(since);
  const broken = await goneRequests(organizationId, event);
  let after = "";
  for (;;) {
    const heads = await query<Head>(
      `SELECT id, status, event_count AS count, event_hash AS hash FROM envelopes
       WHERE organization_id = $1 AND id > $2
         AND ($3 = '' OR id IN (SELECT envelope_id FROM signing_events WHERE organization_id = $1 AND id > $3))
       ORDER BY id LIMIT ${batch}`,
      [organizationId, after, event],
    );
    for (const head of heads) {
      const reason = await mismatchOf(organizationId, head);
      if (reason) broken.push({ envelopeId: head.id, reason: `Signature request ${head.id}: ${reason}` });
    }
    if (heads.length < batch) return broken;
    after = heads.at(-1)!.id;
  }
}

/** Finds requests that were sent and no longer exist. Only drafts are ever deleted. */
async function goneRequests(organizationId: string, afterEvent: string): Promise<BrokenHistory[]> {
  const gone = await query<{ id: string }>(
    `SELECT DISTINCT e.envelope_id AS id FROM signing_events e
     WHERE e.organization_id = $1 AND e.id > $2 AND e.type = 'SENT' AND NOT EXISTS (
       SELECT 1 FROM envelopes v WHERE v.organization_id = e.organization_id AND v.id = e.envelope_id)
     ORDER BY 1`,
    [organizationId, afterEvent],
  );
  return gone.map(({ id }) => ({
    envelopeId: id,
    reason: `Signature request ${id}: it was sent, and the request is gone.`,
  }));
}

interface Head {
  id: string;
  status: string;
  count: number;
  hash: string | null;
}

/** The head was read before the events, so events that were added since come after it. */
async function mismatchOf(organizationId: string, { id, status, count, hash }: Head): Promise<string | null> {
  const events = await chainOf(db, systemContext(organizationId, "verification"), id);
  if (events.length < count || (events[count - 1]?.hash ?? null) !== hash) return "events are missing.";
  const wrong = firstBrokenLink({ organizationId, envelopeId: id }, events);
  if (wrong) return wrong;
  const types = new Set(events.map(({ type }) => type));
  const isCut = status === "COMPLETED" && !(types.has("SEALED") && types.has("COMPLETED"));
  return isCut ? "it is completed, but the events that say so are missing." : null;
}
