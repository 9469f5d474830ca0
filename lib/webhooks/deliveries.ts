/** Lists and repeats deliveries, ends those of a disabled endpoint, and deletes old ones. */
import { announce, change, reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { invalid, notFound, Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { deliveryChannel } from "./events.ts";
import type { DeliveryId, DeliveryQuery, EventType, Recovery, WebhookEndpoint } from "./schema.ts";

const withAttempts = {
  event: { select: { type: true } },
  attempts: { orderBy: { number: "asc" } },
} satisfies Prisma.DeliveryInclude;

type Row = Prisma.DeliveryGetPayload<{ include: typeof withAttempts }>;

function deliveryFrom({ event, ...row }: Row) {
  return { ...row, eventType: event.type as EventType };
}

/** Returns a page of an endpoint's deliveries, newest first. Ids sort by time, so the last id is the cursor. */
export async function listDeliveries(ctx: Context, { id, status, limit, cursor }: DeliveryQuery) {
  const rows = await reader().delivery.findMany({
    where: {
      ...own(ctx),
      endpointId: id,
      ...(status ? { status: { in: status } } : {}),
      ...(cursor === undefined ? {} : { id: { lt: idOf(cursor) } }),
    },
    orderBy: { id: "desc" },
    take: limit + 1,
    include: withAttempts,
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { deliveries: shown.map(deliveryFrom), nextCursor: last ? cursorAt(last.id) : null };
}

const cursorAt = (id: string) => Buffer.from(id).toString("base64url");

function idOf(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString();
  if (/^msg_[0-9a-z]{26}$/.test(id)) return id;
  throw invalid({ path: "cursor", message: "is not a nextCursor of this list" });
}

export async function findDelivery(ctx: Context, { id, deliveryId }: DeliveryId) {
  const where = { ...own(ctx), id: deliveryId, endpointId: id };
  const row = await reader().delivery.findFirst({ where, include: withAttempts });
  if (!row) throw notFound("delivery");
  return deliveryFrom(row);
}

/** Sends a webhook.test event to one endpoint, whatever its subscriptions. */
export async function sendTest(ctx: Context, endpoint: WebhookEndpoint) {
  requireEnabled(endpoint);
  return change(ctx, async () => {
    const happening = { ctx, type: "webhook.test", resource: { endpoint }, previous: null } as const;
    const [deliveryId] = await announce([{ ...happening, only: endpoint.id }]);
    if (!deliveryId) throw new Refusal("conflict", "The endpoint has just been disabled.");
    return findDelivery(ctx, { id: endpoint.id, deliveryId });
  });
}

/** Sends a delivery's event to its endpoint again, as a new delivery with its own id. */
export async function redeliver(ctx: Context, endpoint: WebhookEndpoint, path: DeliveryId) {
  const { eventId, id } = await findDelivery(ctx, path);
  requireEnabled(endpoint);
  return change(ctx, async (tx, record) => {
    const [again] = await repeat(tx, ctx, endpoint.id, [{ id, eventId }]);
    record({
      action: "WEBHOOK_REDELIVERED",
      target: { type: "webhook_delivery", id: again! },
      changes: { redeliveryOf: { from: null, to: id }, eventId: { from: null, to: eventId } },
    });
    return findDelivery(ctx, { id: endpoint.id, deliveryId: again! });
  });
}

/**
 * Sends events again whose delivery FAILED at or after `since`: each event once, unless another delivery of it has
 * succeeded or is pending. A second call therefore sends nothing twice.
 */
export async function recover(ctx: Context, endpoint: WebhookEndpoint, { since }: Recovery) {
  requireEnabled(endpoint);
  return change(ctx, async (tx, record) => {
    // Locks the endpoint, so that the second of two concurrent calls sees the deliveries that the first one created.
    await tx.$queryRaw`SELECT 1 FROM webhook_endpoints
      WHERE organization_id = ${ctx.organizationId} AND id = ${endpoint.id} FOR NO KEY UPDATE`;
    const failed = await select<{ id: string; eventId: string }>(
      // Reads each delivery once. A subquery for each failed delivery took minutes with 200,000 of them.
      `SELECT max(d.id) FILTER (WHERE d.ended_at >= $3::timestamptz) AS id, d.event_id AS "eventId"
       FROM deliveries d WHERE d.organization_id = $1 AND d.endpoint_id = $2
       GROUP BY d.event_id HAVING bool_and(d.status = 'FAILED') AND max(d.ended_at) >= $3::timestamptz
       ORDER BY d.event_id`,
      [ctx.organizationId, endpoint.id, since.toISOString()],
    );
    if (failed.length === 0) return { count: 0 };
    const { length: count } = await repeat(tx, ctx, endpoint.id, failed);
    record({
      action: "WEBHOOK_REDELIVERED",
      target: { type: "webhook_endpoint", id: endpoint.id },
      changes: { since: { from: null, to: since }, count: { from: null, to: count } },
    });
    return { count };
  });
}

/** Creates new deliveries of the originals' events, whatever became of the originals. Returns the new ids. */
async function repeat(
  tx: Transaction,
  ctx: Context,
  endpointId: string,
  originals: { id: string; eventId: string }[],
): Promise<string[]> {
  const ids = originals.map(() => newId("delivery"));
  await tx.$executeRawUnsafe(
    `INSERT INTO deliveries
       (organization_id, id, endpoint_id, event_id, redelivery_of, next_attempt_at, created_at)
     SELECT $1, row.id, $2, row.event_id, row.original, now(), $6::timestamptz
     FROM unnest($3::text[], $4::text[], $5::text[]) AS row (id, event_id, original)`,
    ctx.organizationId,
    endpointId,
    ids,
    originals.map(({ eventId }) => eventId),
    originals.map(({ id }) => id),
    ctx.now.toISOString(),
  );
  await tx.$executeRaw`SELECT pg_notify(${deliveryChannel}, ${`${ctx.organizationId} ${endpointId}`})`;
  return ids;
}

function requireEnabled({ status }: WebhookEndpoint): void {
  if (status === "ENABLED") return;
  throw new Refusal("conflict", "The endpoint is disabled. Enable it first: PATCH it with enabled: true.");
}

/** Ends the waiting deliveries of an endpoint that gets no more of them. Deliveries being sent end on their own. */
export async function endPending(tx: Transaction, ctx: Context, endpointId: string, reason: string) {
  await tx.delivery.updateMany({
    where: { ...own(ctx), endpointId, status: { in: ["PENDING", "RETRYING"] }, claimedBy: null },
    data: { status: "FAILED", nextAttemptAt: null, lastError: reason, endedAt: ctx.now },
  });
}

/** How long deliveries and their events are kept. */
const keptMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Deletes ended deliveries older than 90 days, then events and deleted endpoints of that age without deliveries.
 * Housekeeping, not an audited change. Ids sort by time, so the primary key's index finds old deliveries and events.
 */
export async function forgetOldDeliveries(tx: Pick<Transaction, "$executeRaw">, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptMs);
  const [delivery, event] = [newId("delivery", before), newId("event", before)];
  const count = await tx.$executeRaw`DELETE FROM deliveries d USING organizations o
    WHERE d.organization_id = o.id AND d.id < ${delivery} AND d.next_attempt_at IS NULL`;
  await tx.$executeRaw`DELETE FROM events e USING organizations o
    WHERE e.organization_id = o.id AND e.id < ${event} AND NOT EXISTS (
      SELECT 1 FROM deliveries d WHERE d.organization_id = e.organization_id AND d.event_id = e.id)`;
  await tx.$executeRaw`DELETE FROM webhook_endpoints e USING organizations o
    WHERE e.organization_id = o.id AND e.deleted_at < ${before} AND NOT EXISTS (
      SELECT 1 FROM deliveries d WHERE d.organization_id = e.organization_id AND d.endpoint_id = e.id)`;
  return count;
}
