/** Events: what a change tells to whoever subscribed, written down in the change's own transaction. */
import type { AuditAction } from "#lib/audit/lifecycle.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { print } from "#lib/core/serialize.ts";
import { wire } from "#lib/core/wire.ts";
import { type EventType, eventTypes, fieldsOf, payloadOf } from "./schema.ts";

/** Which event an audited action is. Actions that are not here are nobody else's business. */
export const eventTypeOf: Partial<Record<AuditAction, EventType>> = {
  CONTRACT_CREATED: "contract.created",
  CONTRACT_UPDATED: "contract.updated",
  CONTRACT_STATUS_CHANGED: "contract.status_changed",
  CONTRACT_COUNTERPARTY_CHANGED: "contract.counterparty_changed",
  CONTRACT_ANCHORS_CHANGED: "contract.updated",
  CONTRACT_RENEWED: "contract.renewed",
  VERSION_UPLOADED: "version.created",
  VERSION_GENERATED: "version.created",
  COUNTERPARTY_CREATED: "counterparty.created",
  COUNTERPARTY_UPDATED: "counterparty.updated",
  COUNTERPARTY_NOTES_UPDATED: "counterparty.updated",
  CONTACT_CREATED: "contact.created",
  CONTACT_UPDATED: "contact.updated",
  OBLIGATION_CREATED: "obligation.created",
  OBLIGATION_UPDATED: "obligation.updated",
  OBLIGATION_COMPLETED: "obligation.completed",
  OBLIGATION_WAIVED: "obligation.updated",
  SIGNATURE_REQUEST_CREATED: "signature_request.created",
  SIGNATURE_REQUEST_SENT: "signature_request.sent",
  SIGNATURE_REQUEST_VIEWED: "signature_request.viewed",
  SIGNATURE_REQUEST_SIGNED: "signature_request.signed",
  SIGNATURE_REQUEST_DECLINED: "signature_request.declined",
  SIGNATURE_REQUEST_DELEGATED: "signature_request.delegated",
  SIGNATURE_REQUEST_VOIDED: "signature_request.voided",
  SIGNATURE_REQUEST_ENDED: "signature_request.voided",
  SIGNATURE_REQUEST_EXPIRED: "signature_request.expired",
  SIGNATURE_REQUEST_COMPLETED: "signature_request.completed",
  MEMBER_INVITED: "member.invited",
  MEMBER_ROLE_CHANGED: "member.role_changed",
};

/** Those before which there was nothing: their `previous` is null. */
export const beginnings: ReadonlySet<EventType> = new Set(
  eventTypes.filter((type) => type.endsWith(".created") || type === "member.invited"),
);

/** Something to tell. */
export interface Happening {
  ctx: Context;
  type: EventType;
  /** The resource as REST returns it, under its name: {contract: …}. */
  resource: Record<string, unknown>;
  /** What the fields that changed were before. */
  previous: Record<string, unknown> | null;
  /** For this endpoint alone, whatever it subscribed to. */
  only?: string | undefined;
}

/** Where workers listen for new deliveries; a notification says `<organization id> <endpoint id>`. */
export const deliveryChannel = "countersign_deliveries";

type Endpoint = { id: string; events: string[] };

/**
 * Freezes what happened, for the endpoints that are subscribed now: an event with its payload, and a delivery
 * for each endpoint, which is its own job. What nobody is subscribed to is not written. Answers the
 * deliveries' ids.
 */
export async function writeEvents(tx: Transaction, happenings: Happening[]): Promise<string[]> {
  const deliveries: string[] = [];
  for (const [organizationId, told] of Map.groupBy(happenings, ({ ctx }) => ctx.organizationId)) {
    const endpoints = await tx.$queryRaw<Endpoint[]>`SELECT id, events FROM webhook_endpoints
      WHERE organization_id = ${organizationId} AND status = 'ENABLED' AND deleted_at IS NULL ORDER BY id`;
    const events = told.flatMap((happening) => {
      const targets = endpoints.filter((endpoint) => wants(endpoint, happening));
      return targets.length > 0 ? [{ ...freeze(happening), targets }] : [];
    });
    if (events.length > 0) deliveries.push(...(await insert(tx, organizationId, events)));
  }
  return deliveries;
}

/** Whether anybody would be told of this type. */
export async function isHeard(tx: Transaction, ctx: Context, type: EventType): Promise<boolean> {
  const where = { ...own(ctx), status: "ENABLED", deletedAt: null, events: { hasSome: ["*", type] } };
  return (await tx.webhookEndpoint.count({ where })) > 0;
}

function wants({ id, events }: Endpoint, { type, only }: Happening): boolean {
  return only ? id === only : events.includes("*") || events.includes(type);
}

interface Frozen {
  id: string;
  type: EventType;
  payload: string;
  at: string;
}

function freeze({ ctx, type, resource, previous }: Happening): Frozen {
  const id = newId("event");
  const at = ctx.now.toISOString();
  const known = fieldsOf(type);
  const fields = previous && Object.entries(previous).filter(([name]) => known.has(name));
  const payload = print(payloadOf(type), {
    id,
    type,
    timestamp: at,
    apiVersion: "v1",
    organizationId: ctx.organizationId,
    actor: actorOf(ctx),
    data: { ...resource, previous: fields && wire(Object.fromEntries(fields)) },
  });
  return { id, type, payload, at };
}

const actorKinds = { user: "USER", api_key: "API_KEY", signer: "SIGNER", system: "SYSTEM" } as const;

function actorOf({ actor }: Context) {
  return { kind: actorKinds[actor.kind], id: actor.kind === "system" ? null : actor.id };
}

async function insert(
  tx: Transaction,
  organizationId: string,
  events: (Frozen & { targets: Endpoint[] })[],
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
