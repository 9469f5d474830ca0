/** Writes the webhook events of a change, and their deliveries, in the change's own transaction. */
import type { DomainEvent } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import type { EventType } from "./schema.ts";

/** The channel where workers listen for new deliveries. A notification is `<organization id> <endpoint id>`. */
export const deliveryChannel = "countersign_deliveries";

/** Other requests are served between statements. One with so many deliveries takes some 20 ms of processor time. */
const deliveriesAtOnce = 2_000;
const maxEventsPerBatch = 500;

type Endpoint = { id: string; events: string[] };

/**
 * Writes what happened for the endpoints that are subscribed now: an event with its final payload, and a delivery for
 * each endpoint, which is its own job. Writes no event without a subscribed endpoint. Returns the deliveries' ids.
 */
export async function writeEvents(
  tx: Transaction,
  happenings: DomainEvent[],
  freeze: (happening: DomainEvent) => FrozenEvent,
): Promise<string[]> {
  const deliveries: string[] = [];
  for (const [organizationId, told] of Map.groupBy(happenings, ({ ctx }) => ctx.organizationId)) {
    const endpoints = await tx.$queryRaw<Endpoint[]>`SELECT id, events FROM webhook_endpoints
      WHERE organization_id = ${organizationId} AND status = 'ENABLED' AND deleted_at IS NULL ORDER BY id`;
    if (endpoints.length === 0) continue;
    const eventsAtOnce = Math.min(maxEventsPerBatch, Math.ceil(deliveriesAtOnce / endpoints.length));
    for (let at = 0; at < told.length; at += eventsAtOnce) {
      const events = told.slice(at, at + eventsAtOnce).flatMap((happening) => {
        const targets = endpoints.filter((endpoint) => isSubscribed(endpoint, happening));
        return targets.length > 0 ? [{ ...freeze(happening), targets }] : [];
      });
      if (events.length > 0) deliveries.push(...(await insert(tx, organizationId, events)));
    }
  }
  return deliveries;
}

/** Whether an enabled endpoint is subscribed to events of this type. */
export async function hasSubscriber(tx: Transaction, ctx: Context, type: EventType): Promise<boolean> {
  const where = { ...own(ctx), status: "ENABLED", deletedAt: null, events: { hasSome: ["*", type] } };
  return (await tx.webhookEndpoint.count({ where })) > 0;
}

function isSubscribed({ id, events }: Endpoint, { type, only }: DomainEvent): boolean {
  return only ? id === only : events.includes("*") || events.includes(type);
}

/** An event as it is stored. Every delivery sends this payload. */
export interface FrozenEvent {
  id: string;
  type: EventType;
  payload: string;
  at: string;
}

async function insert(
  tx: Transaction,
  organizationId: string,
  events: (FrozenEvent & { targets: Endpoint[] })[],
): Promise<string[]> {
  const deliveries = events.flatMap(({ id, at, targets }) =>
    targets.map((endpoint) => ({ id: newId("delivery"), endpointId: endpoint.id, eventId: id, at })),
  );
  await tx.$executeRawUnsafe(
    `WITH written AS (
       INSERT INTO events (organization_id, id, type, payload, created_at)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[])),
     sent AS (
       INSERT INTO deliveries (organization_id, id, endpoint_id, event_id, next_attempt_at, created_at)
       SELECT $1, row.id, row.endpoint_id, row.event_id, now(), row.at
       FROM unnest($6::text[], $7::text[], $8::text[], $9::timestamptz[]) AS row (id, endpoint_id, event_id, at)
       RETURNING endpoint_id)
     SELECT pg_notify('${deliveryChannel}', $1 || ' ' || endpoint_id)::text
     FROM (SELECT DISTINCT endpoint_id FROM sent) AS endpoint`,
    organizationId,
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ payload }) => payload),
    events.map(({ at }) => at),
    deliveries.map(({ id }) => id),
    deliveries.map(({ endpointId }) => endpointId),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ at }) => at),
  );
  return deliveries.map(({ id }) => id);
}
