import { Badge, type Tone } from "#components/ui/badge.tsx";
import type { Delivery, WebhookEndpoint } from "#lib/webhooks/schema.ts";

const endpointWords: Record<WebhookEndpoint["status"], [Tone, string]> = {
  ENABLED: ["good", "Enabled"],
  DISABLED: ["neutral", "Disabled"],
  DISABLED_BY_FAILURE: ["bad", "Disabled: kept failing"],
};

export function EndpointBadge({ status }: { status: WebhookEndpoint["status"] }) {
  const [tone, word] = endpointWords[status];
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  );
}

export const deliveryWords: Record<Delivery["status"], [Tone, string]> = {
  PENDING: ["info", "Being sent"],
  SUCCEEDED: ["good", "Received"],
  RETRYING: ["warn", "Trying again"],
  FAILED: ["bad", "Failed"],
};

export function DeliveryBadge({ status }: { status: Delivery["status"] }) {
  const [tone, word] = deliveryWords[status];
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  );
}

/** Returns an endpoint's events in a few words. */
export function eventsText(events: readonly string[]): string {
  if (events.includes("*")) return "All events";
  return events.length <= 2 ? events.join(", ") : `${events.length} event types`;
}
