/** The schemas of outgoing webhooks: endpoints, event types and deliveries. Isomorphic. */
import { z } from "zod";
import {
  choice,
  clearable,
  idOut,
  longText,
  pathId,
  text,
  timestamp,
  timestampIn,
  wholeNumber,
} from "#lib/core/wire.ts";

/** Every event type, in the order of the documentation. lib/events/catalogue.ts defines the payload of each. */
export const eventTypes = [
  "contract.created",
  "contract.updated",
  "contract.status_changed",
  "contract.counterparty_changed",
  "contract.renewed",
  "contract.expiring",
  "contract.archived",
  "contract.unarchived",
  "contract.deleted",
  "version.created",
  "counterparty.created",
  "counterparty.updated",
  "contact.created",
  "contact.updated",
  "obligation.created",
  "obligation.updated",
  "obligation.due",
  "obligation.overdue",
  "obligation.completed",
  "signature_request.created",
  "signature_request.sent",
  "signature_request.viewed",
  "signature_request.signed",
  "signature_request.declined",
  "signature_request.delegated",
  "signature_request.voided",
  "signature_request.expired",
  "signature_request.completed",
  "member.invited",
  "member.role_changed",
  "webhook.test",
] as const;
export type EventType = (typeof eventTypes)[number];

export const endpointStatuses = ["ENABLED", "DISABLED", "DISABLED_BY_FAILURE"] as const;

export const WebhookEndpoint = z
  .object({
    id: idOut("webhookEndpoint"),
    url: z.string().meta({ format: "uri", example: "https://northwind.example/countersign" }),
    events: z.array(z.enum(["*", ...eventTypes])).meta({ description: "* means all, including future ones" }),
    description: z.string().nullable(),
    status: z.enum(endpointStatuses),
    consecutiveFailures: z.int().meta({ example: 0 }),
    disabledReason: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "WebhookEndpoint" });
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

export const deliveryStatuses = ["PENDING", "SUCCEEDED", "RETRYING", "FAILED"] as const;

const DeliveryAttempt = z
  .object({
    number: z.int().meta({ description: "Counted from 1" }),
    at: timestamp,
    statusCode: z.int().nullable().meta({ description: "Null when there was no answer", example: 200 }),
    durationMs: z.int(),
    error: z.string().nullable().meta({ description: "Why it does not count as received" }),
    responseBody: z.string().nullable().meta({ description: "The first 1 kB of the answer" }),
  })
  .meta({ id: "DeliveryAttempt" });

export const Delivery = z
  .object({
    id: idOut("delivery").meta({ description: "The value of webhook-id" }),
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
    description: "Returned only once: store it. An idempotent replay returns null",
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
  count: z.int().meta({ description: "How many deliveries were created", example: 3 }),
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
  .meta({ description: "The event types to send; * means all, including future ones" });

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
    description: "true also resets the count of failures; false ends pending deliveries as FAILED",
  }),
});
export type EndpointPatch = z.output<typeof EndpointPatch>;

export const DeliveryQuery = z.object({
  id: pathId("webhookEndpoint"),
  status: z.array(choice(deliveryStatuses)).optional(),
  limit: wholeNumber("must be a whole number of at least 1", 200)
    .default(50)
    .meta({ description: "Rows per page; values above 200 are clamped to 200" }),
  cursor: z.string().max(500).optional().meta({ description: "nextCursor of the previous page" }),
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

export const DeliveryId = z.strictObject({
  id: pathId("webhookEndpoint"),
  deliveryId: pathId("delivery"),
});
export type DeliveryId = z.output<typeof DeliveryId>;

export const Recovery = z.strictObject({
  id: pathId("webhookEndpoint"),
  since: timestampIn.meta({ description: "Deliveries that FAILED at or after this time are sent again" }),
});
export type Recovery = z.output<typeof Recovery>;
