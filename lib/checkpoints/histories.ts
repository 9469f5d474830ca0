/** The histories of signature requests: whether each is whole, and where one is not, what does not fit. */
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

/** An event gets its id a little before it is committed. */
const leewayMs = 60 * 60 * 1000;

/** An id that all events have a higher one than that were not committed at a moment. */
export const eventIdAt = (moment: string) => newId("signingEvent", new Date(Date.parse(moment) - leewayMs));

/** The requests of a workspace whose events do not fit together; only those with events since a moment, if one is given. */
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
      const reason = await misfit(organizationId, head);
      if (reason) broken.push({ envelopeId: head.id, reason: `Signature request ${head.id}: ${reason}` });
    }
    if (heads.length < batch) return broken;
    after = heads.at(-1)!.id;
  }
}

/** Only a draft is ever deleted: the history of what was sent has its request. */
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

/** The head was read first: events that were added since then come after it. */
async function misfit(organizationId: string, { id, status, count, hash }: Head): Promise<string | null> {
  const events = await chainOf(db, systemContext(organizationId, "verification"), id);
  if (events.length < count || (events[count - 1]?.hash ?? null) !== hash) return "events are missing.";
  const wrong = firstBrokenLink({ organizationId, envelopeId: id }, events);
  if (wrong) return wrong;
  const types = new Set(events.map(({ type }) => type));
  const isCut = status === "COMPLETED" && !(types.has("SEALED") && types.has("COMPLETED"));
  return isCut ? "it is completed, but the events that say so are missing." : null;
}
