/** The webhook events: when each one is sent, and its payload. Isomorphic. */
import { z } from "zod";
import { Contract, DocumentVersion } from "#lib/contracts/schema.ts";
import { idOut, timestamp } from "#lib/core/wire.ts";
import { Contact, Counterparty } from "#lib/counterparties/schema.ts";
import { Obligation } from "#lib/obligations/schema.ts";
import { Invitation, Member } from "#lib/people/members/schema.ts";
import { SignatureRequest } from "#lib/signatures/schema.ts";
import { type EventType, WebhookEndpoint } from "#lib/webhooks/schema.ts";

/** Omits the fields: what signers typed is for the workspace, not for every receiver. */
export const SignatureRequestSummary = SignatureRequest.omit({ fields: true }).meta({
  id: "SignatureRequestSummary",
  description: "A signature request without its fields.",
});

const contract = { contract: Contract };
const counterparty = { counterparty: Counterparty };
const contact = { contact: Contact };
const obligation = { obligation: Obligation };
const envelope = { envelope: SignatureRequestSummary };

/** For each event type: when it happens, and the resource in its data. */
const happenings = {
  "contract.created": ["A contract was created.", contract],
  "contract.updated": ["A contract was updated.", contract],
  "contract.status_changed": ["A contract's status changed.", contract],
  "contract.counterparty_changed": ["A contract's counterparty changed.", contract],
  "contract.renewed": ["A contract was renewed: its term grew by its renewal months.", contract],
  "contract.expiring": ["A contract's term ends soon.", contract],
  "contract.archived": ["A contract was archived.", contract],
  "contract.unarchived": ["A contract was unarchived: it is in lists again.", contract],
  "contract.deleted": [
    "A draft was deleted, with its documents, obligations and comments.",
    { contract: Contract.pick({ id: true, title: true }) },
  ],
  "version.created": ["A document version was added to a contract.", { version: DocumentVersion }],
  "counterparty.created": ["A counterparty was created.", counterparty],
  "counterparty.updated": ["A counterparty was updated.", counterparty],
  "contact.created": ["A contact was created.", contact],
  "contact.updated": ["A contact was updated.", contact],
  "obligation.created": ["An obligation was created.", obligation],
  "obligation.updated": ["An obligation was updated.", obligation],
  "obligation.due": ["An obligation is due within 30 days.", obligation],
  "obligation.overdue": ["The date of an open obligation has passed.", obligation],
  "obligation.completed": ["An obligation was completed.", obligation],
  "signature_request.created": ["A signature request was created.", envelope],
  "signature_request.sent": ["A signature request was sent to its signers.", envelope],
  "signature_request.viewed": ["A signer opened the document.", envelope],
  "signature_request.signed": ["A signer signed.", envelope],
  "signature_request.declined": ["A signer declined.", envelope],
  "signature_request.delegated": ["A signer delegated to someone else.", envelope],
  "signature_request.voided": ["A member voided a signature request.", envelope],
  "signature_request.expired": ["A signature request expired: its deadline passed.", envelope],
  "signature_request.completed": ["Everyone has signed, and the sealed PDF can be downloaded.", envelope],
  "member.invited": ["Someone was invited to the workspace.", { invitation: Invitation }],
  "member.role_changed": ["A member's role changed.", { member: Member }],
  "webhook.test": ["A test delivery was requested.", { endpoint: WebhookEndpoint }],
} satisfies Record<EventType, [when: string, data: Record<string, z.ZodType>]>;

export const eventActorKinds = ["USER", "API_KEY", "SIGNER", "SYSTEM"] as const;

const EventActor = z
  .object({
    kind: z.enum(eventActorKinds),
    id: z.string().nullable().meta({ description: "Null for SYSTEM" }),
    assistant: z
      .object({ id: idOut("assistantGrant"), name: z.string() })
      .nullable()
      .meta({ description: "The connected assistant through which a USER acted; null where there was none" }),
  })
  .meta({ id: "EventActor", description: "Who caused the event." });

const previous = z.record(z.string(), z.json()).nullable().meta({
  description: "The previous values of the changed fields; null where there was none",
});

function payload(type: EventType, when: string, data: Record<string, z.ZodType>) {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return z
    .object({
      id: idOut("event").meta({ description: "The event's id, the same in all of its deliveries" }),
      type: z.literal(type),
      timestamp: timestamp.meta({ description: "When it happened" }),
      apiVersion: z.literal("v1"),
      organizationId: idOut("organization"),
      actor: EventActor,
      data: z.object({ ...data, previous }),
    })
    .meta({ id: `${words.join("")}Event`, description: when });
}

const payloads = new Map(
  Object.entries<[string, Record<string, z.ZodType>]>(happenings).map(([type, [when, data]]) => [
    type,
    payload(type as EventType, when, data),
  ]),
);

/** The schema of an event of this type, as it is sent. */
export function payloadOf(type: EventType): ReturnType<typeof payload> {
  return payloads.get(type)!;
}

/** The names of the fields of the resource in an event of this type. */
export function fieldsOf(type: EventType): ReadonlySet<string> {
  const [resource] = Object.values<z.ZodObject>(happenings[type][1]);
  return new Set(Object.keys(resource?.shape ?? {}));
}
