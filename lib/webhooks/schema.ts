/** Outgoing webhooks: what can happen, and what the payload of each event type is. */
import { z } from "zod";
import { Contract, DocumentVersion } from "#lib/contracts/schema.ts";
import { choice, clearable, idOut, longText, pathId, text, timestamp, timestampIn } from "#lib/core/wire.ts";
import { Contact, Counterparty } from "#lib/counterparties/schema.ts";
import { Obligation } from "#lib/obligations/schema.ts";
import { Invitation, Member } from "#lib/people/members/schema.ts";
import { SignatureRequest } from "#lib/signatures/schema.ts";

/** Without its fields: what a signer typed is for the workspace, not for every receiver. */
export const SignatureRequestSummary = SignatureRequest.omit({ fields: true }).meta({
  id: "SignatureRequestSummary",
  description: "A signature request without its fields.",
});

const contract = { contract: Contract };
const counterparty = { counterparty: Counterparty };
const contact = { contact: Contact };
const obligation = { obligation: Obligation };
const envelope = { envelope: SignatureRequestSummary };

/** Of each event type: when it happens, and the resource that its data carries. */
const happenings = {
  "contract.created": ["A contract was made.", contract],
  "contract.updated": ["Fields of a contract changed.", contract],
  "contract.status_changed": ["A contract moved to another status.", contract],
  "contract.counterparty_changed": ["A contract got another counterparty.", contract],
  "contract.renewed": ["A contract's term grew by its renewal months.", contract],
  "contract.expiring": ["The end of a contract's term comes near.", contract],
  "version.created": ["A contract got a new document version.", { version: DocumentVersion }],
  "counterparty.created": ["A counterparty was made.", counterparty],
  "counterparty.updated": ["Fields of a counterparty changed.", counterparty],
  "contact.created": ["A counterparty got a new contact.", contact],
  "contact.updated": ["Fields of a contact changed.", contact],
  "obligation.created": ["An obligation was made.", obligation],
  "obligation.updated": ["Fields of an obligation changed.", obligation],
  "obligation.due": ["An obligation falls due within 30 days.", obligation],
  "obligation.overdue": ["The date of an open obligation has passed.", obligation],
  "obligation.completed": ["An obligation was completed.", obligation],
  "signature_request.created": ["A signature request was made.", envelope],
  "signature_request.sent": ["A signature request was sent to its signers.", envelope],
  "signature_request.viewed": ["A signer opened the document.", envelope],
  "signature_request.signed": ["A signer signed.", envelope],
  "signature_request.declined": ["A signer declined.", envelope],
  "signature_request.delegated": ["A signer named somebody else to sign.", envelope],
  "signature_request.voided": ["A member called a signature request off.", envelope],
  "signature_request.expired": ["The deadline of a signature request passed.", envelope],
  "signature_request.completed": ["All have signed, and the sealed PDF can be downloaded.", envelope],
  "member.invited": ["Somebody was invited to the workspace.", { invitation: Invitation }],
  "member.role_changed": ["A member got another role.", { member: Member }],
} satisfies Record<string, [when: string, data: Record<string, z.ZodType>]>;

export type EventType = keyof typeof happenings | "webhook.test";

/** Every event type, in the order of the documentation. */
export const eventTypes = Object.keys(happenings).concat("webhook.test") as [EventType, ...EventType[]];

export const endpointStatuses = ["ENABLED", "DISABLED", "DISABLED_BY_FAILURE"] as const;

export const WebhookEndpoint = z
  .object({
    id: idOut("webhookEndpoint"),
    url: z.string().meta({ format: "uri", example: "https://northwind.example/countersign" }),
    events: z.array(z.enum(["*", ...eventTypes])).meta({ description: "* stands for all, future ones too" }),
    description: z.string().nullable(),
    status: z.enum(endpointStatuses),
    consecutiveFailures: z.int().meta({ example: 0 }),
    disabledReason: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "WebhookEndpoint" });
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

export const eventActorKinds = ["USER", "API_KEY", "SIGNER", "SYSTEM"] as const;

const EventActor = z
  .object({
    kind: z.enum(eventActorKinds),
    id: z.string().nullable().meta({ description: "Null for SYSTEM" }),
  })
  .meta({ id: "EventActor", description: "Who caused the event." });

const previous = z.record(z.string(), z.json()).nullable().meta({
  description: "What the fields that changed were before; null where nothing was",
});

function payload(type: EventType, when: string, data: Record<string, z.ZodType>) {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return z
    .object({
      id: idOut("event").meta({ description: "The event's id: the same in every delivery of it" }),
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
  Object.entries<[string, Record<string, z.ZodType>]>({
    ...happenings,
    "webhook.test": ["Somebody asked for a test delivery.", { endpoint: WebhookEndpoint }],
  }).map(([type, [when, data]]) => [type, payload(type as EventType, when, data)]),
);

/** The envelope that an event of this type is sent in. */
export function payloadOf(type: EventType): ReturnType<typeof payload> {
  return payloads.get(type)!;
}

/** The fields of the resource that an event of this type carries. */
export function fieldsOf(type: EventType): ReadonlySet<string> {
  const data = type === "webhook.test" ? { endpoint: WebhookEndpoint } : happenings[type][1];
  const [resource] = Object.values<z.ZodObject>(data);
  return new Set(Object.keys(resource?.shape ?? {}));
}

export const deliveryStatuses = ["PENDING", "SUCCEEDED", "RETRYING", "FAILED"] as const;

const DeliveryAttempt = z
  .object({
    number: z.int().meta({ description: "Counted from 1" }),
    at: timestamp,
    statusCode: z.int().nullable().meta({ description: "Null when no answer came", example: 200 }),
    durationMs: z.int(),
    error: z.string().nullable().meta({ description: "Why it does not count as received" }),
    responseBody: z.string().nullable().meta({ description: "The first 1 kB of the answer" }),
  })
  .meta({ id: "DeliveryAttempt" });

export const Delivery = z
  .object({
    id: idOut("delivery").meta({ description: "What webhook-id says" }),
    endpointId: idOut("webhookEndpoint"),
    eventId: idOut("event"),
    eventType: z.enum(eventTypes),
    status: z.enum(deliveryStatuses),
    attemptCount: z.int(),
    nextAttemptAt: timestamp.nullable(),
    lastAttemptAt: timestamp.nullable(),
    lastStatusCode: z.int().nullable().meta({ example: 200 }),
    lastError: z.string().nullable(),
    redeliveryOf: idOut("delivery").nullable().meta({ description: "The delivery that this one repeats" }),
    createdAt: timestamp,
    attempts: z.array(DeliveryAttempt),
  })
  .meta({ id: "Delivery", description: "One event on its way to one endpoint." });
export type Delivery = z.output<typeof Delivery>;

export const EndpointAnswer = z.object({ endpoint: WebhookEndpoint });
export const EndpointList = z.object({ endpoints: z.array(WebhookEndpoint) });

export const EndpointWithSecret = z.object({
  endpoint: WebhookEndpoint,
  secret: z.string().nullable().meta({
    description: "Shown this once: keep it. An idempotent replay says null",
    example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  }),
});

export const DeliveryAnswer = z.object({ delivery: Delivery });

export const DeliveryInspection = z.object({
  delivery: Delivery,
  request: z.object({
    method: z.string(),
    url: z.string().meta({ description: "Where the endpoint points now" }),
    headers: z.record(z.string(), z.string()),
    payload: z.string(),
  }),
});

export const Recovered = z.object({
  count: z.int().meta({ description: "How many deliveries were made", example: 3 }),
});
export const DeliveryFeed = z.object({
  deliveries: z.array(Delivery),
  nextCursor: z.string().nullable().meta({ description: "Null on the last page" }),
});

const url = text()
  .refine((value) => ["http:", "https:"].includes(URL.parse(value)?.protocol ?? ""), {
    error: "must be an absolute URL that starts with https://",
  })
  .meta({
    format: "uri",
    example: "https://northwind.example/countersign",
    description: "https. http, and private addresses, only where the operator allows them",
  });

const events = z
  .array(choice(["*", ...eventTypes]))
  .min(1, "must name at least one event type, or *")
  .transform((types) => [...new Set(types)])
  .meta({ description: "The event types to send; * stands for all, future ones too" });

const description = clearable(longText.nullable()).optional();

export const NewEndpoint = z.strictObject({
  url,
  events: events.default(["*"]),
  description,
  enabled: z.boolean().default(true),
});
export type NewEndpoint = z.output<typeof NewEndpoint>;

export const EndpointId = z.strictObject({ id: pathId("webhookEndpoint") });

export const EndpointPatch = z.strictObject({
  id: pathId("webhookEndpoint"),
  url: url.optional(),
  events: events.optional(),
  description,
  enabled: z.boolean().optional().meta({
    description: "true also forgives the failures so far; false ends what waits to be sent as FAILED",
  }),
});
export type EndpointPatch = z.output<typeof EndpointPatch>;

export const DeliveryQuery = z.object({
  id: pathId("webhookEndpoint"),
  status: z.array(choice(deliveryStatuses)).optional(),
  limit: z.coerce
    .number({ error: "must be a whole number of at least 1" })
    .int("must be a whole number of at least 1")
    .min(1, "must be a whole number of at least 1")
    .default(50)
    .meta({ description: "Rows a page; above 200 counts as 200" }),
  cursor: z.string().max(500).optional().meta({ description: "nextCursor of the page before" }),
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

export const DeliveryId = z.strictObject({
  id: pathId("webhookEndpoint"),
  deliveryId: pathId("delivery"),
});
export type DeliveryId = z.output<typeof DeliveryId>;

export const Recovery = z.strictObject({
  id: pathId("webhookEndpoint"),
  since: timestampIn.meta({ description: "From when on: what FAILED then or later is sent again" }),
});
export type Recovery = z.output<typeof Recovery>;
