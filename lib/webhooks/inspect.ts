/** Returns a delivery with its request, for people who investigate why a receiver did not accept it. */
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { constantHeaders } from "./attempt.ts";
import { findDelivery } from "./deliveries.ts";
import { findEndpoint } from "./endpoints.ts";
import type { DeliveryId } from "./schema.ts";

/**
 * The payload is the event's own, byte for byte. The headers do not include timestamp and signature: each attempt
 * creates new ones, which are not stored.
 */
export async function inspectDelivery(ctx: Context, path: DeliveryId) {
  const [{ url }, delivery] = await Promise.all([findEndpoint(ctx, path.id), findDelivery(ctx, path)]);
  const where = { organizationId_id: { ...own(ctx), id: delivery.eventId } };
  const { payload } = await reader().event.findUniqueOrThrow({ where });
  return { delivery, request: { method: "POST", url, headers: constantHeaders(delivery.id), payload } };
}
