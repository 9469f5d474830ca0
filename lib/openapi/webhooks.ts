/** The webhooks section of the API description: what the service sends, and what it expects back. */
import { payloadOf } from "#lib/events/catalogue.ts";
import { eventTypes } from "#lib/webhooks/schema.ts";
import { exampleOf } from "./example.ts";
import { type Json, json } from "./parts.ts";
import type { Schemas } from "./schemas.ts";
import { webhookTag } from "./words.ts";

export function describeWebhooks(schemas: Schemas): Record<string, Json> {
  return Object.fromEntries(
    eventTypes.map((type) => {
      const schema = schemas.output(payloadOf(type));
      const post = {
        operationId: `on.${type}`,
        summary: schemas.named[schema.$ref?.split("/").at(-1) ?? ""]?.description?.replace(/\.$/, "") ?? type,
        tags: [webhookTag.name],
        security: [],
        parameters: sent,
        requestBody: {
          required: true,
          content: json({ schema, example: exampleOf(schema, schemas.named) }),
        },
        responses: answers,
      };
      return [type, { post }];
    }),
  );
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] },
});

const sent = [
  header(
    "webhook-id",
    "Identifies the delivery: its retries have the same, a manual redelivery has a new one",
    "msg_01jz3m5k8pe9qs4vnhb6w2x0ra",
  ),
  header("webhook-timestamp", "When this attempt was made, in Unix seconds", "1767225600"),
  header(
    "webhook-signature",
    "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the endpoint's secret (what follows `whsec_`, decoded). For 24 hours after a rotation there are two of them, separated by a space",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

const answers = {
  "2XX": { description: "Received. Answer within 15 seconds; the content does not matter." },
  410: { description: "Gone: the endpoint is disabled." },
  429: { description: "Not received: retried later, after Retry-After if there is one." },
  503: { description: "Not received: retried later, after Retry-After if there is one." },
  default: {
    description:
      "Not received; a redirect counts as a failure. Retried 7 times over about 28 hours unless configured otherwise.",
  },
};
