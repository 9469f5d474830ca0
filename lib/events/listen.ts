/**
 * Turns changes into webhook events, in the change's own transaction. Importing this file registers the listener for
 * the process. The entry points, commands and jobs import it; without it no change can record anything.
 */
import type { AuditAction } from "#lib/audit/lifecycle.ts";
import { type DomainEvent, setListener } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { serialize } from "#lib/core/serialize.ts";
import { toJsonValue } from "#lib/core/wire.ts";
import { type FrozenEvent, writeEvents } from "#lib/webhooks/events.ts";
import { type EventType, eventTypes } from "#lib/webhooks/schema.ts";
import { fieldsOf, payloadOf } from "./catalogue.ts";

/** The event type of each action. Actions that are not listed send no webhooks. */
export const eventTypeOf: Partial<Record<AuditAction, EventType>> = {
  CONTRACT_CREATED: "contract.created",
  CONTRACT_UPDATED: "contract.updated",
  CONTRACT_STATUS_CHANGED: "contract.status_changed",
  CONTRACT_COUNTERPARTY_CHANGED: "contract.counterparty_changed",
  CONTRACT_ANCHORS_CHANGED: "contract.updated",
  CONTRACT_RENEWED: "contract.renewed",
  CONTRACT_ARCHIVED: "contract.archived",
  CONTRACT_UNARCHIVED: "contract.unarchived",
  CONTRACT_DELETED: "contract.deleted",
  VERSION_UPLOADED: "version.created",
  VERSION_GENERATED: "version.created",
  COUNTERPARTY_CREATED: "counterparty.created",
  COUNTERPARTY_UPDATED: "counterparty.updated",
  COUNTERPARTY_NOTES_UPDATED: "counterparty.updated",
  CONTACT_CREATED: "contact.created",
  CONTACT_UPDATED: "contact.updated",
  OBLIGATION_CREATED: "obligation.created",
  OBLIGATION_ACCEPTED: "obligation.created",
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

/** Events that create their resource: their `previous` is null. */
const beginnings: ReadonlySet<EventType> = new Set(
  eventTypes.filter((type) => type.endsWith(".created") || type === "member.invited"),
);

setListener({
  eventOf(action) {
    const type = eventTypeOf[action];
    return type ? { type, begins: beginnings.has(type) } : null;
  },
  write: (tx, happenings) => writeEvents(tx, happenings, freeze),
});

function freeze({ ctx, type: said, resource, previous }: DomainEvent): FrozenEvent {
  const type = said as EventType;
  const id = newId("event");
  const at = ctx.now.toISOString();
  const known = fieldsOf(type);
  const fields = previous && Object.entries(previous).filter(([name]) => known.has(name));
  const payload = serialize(payloadOf(type), {
    id,
    type,
    timestamp: at,
    apiVersion: "v1",
    organizationId: ctx.organizationId,
    actor: actorOf(ctx),
    data: { ...resource, previous: fields && toJsonValue(Object.fromEntries(fields)) },
  });
  return { id, type, payload, at };
}

const actorKinds = { user: "USER", api_key: "API_KEY", signer: "SIGNER", system: "SYSTEM" } as const;

function actorOf({ actor, assistant }: Context) {
  const id = actor.kind === "system" ? null : actor.id;
  return { kind: actorKinds[actor.kind], id, assistant: assistant ?? null };
}
