/** Creates, changes, disables and deletes webhook endpoints, and rotates their secrets. */
import { randomBytes } from "node:crypto";
import { change, differences, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { db, type Prisma, type Transaction } from "#lib/core/db.ts";
import { reseal, seal } from "#lib/core/encryption.ts";
import { invalid, notFound, Refusal } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { expectUnchanged } from "#lib/core/serialize.ts";
import { checkTarget } from "#lib/egress/egress.ts";
import { endPending } from "./deliveries.ts";
import { EndpointAnswer, type EndpointPatch, type NewEndpoint, type WebhookEndpoint } from "./schema.ts";

type Row = Prisma.WebhookEndpointGetPayload<object>;

/** The purpose with which the secrets of endpoints are sealed. */
export const secretPurpose = "webhook secret";

const dayMs = 24 * 60 * 60 * 1000;

/** The endpoint as the API returns it: without its secrets. */
function endpointFrom(row: Row): WebhookEndpoint {
  const { id, url, events, description, status, consecutiveFailures, disabledReason } = row;
  return {
    ...{ id, url, description, consecutiveFailures, disabledReason },
    events: events as WebhookEndpoint["events"],
    status: status as WebhookEndpoint["status"],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Returns all endpoints, newest first. */
export async function listEndpoints(ctx: Context): Promise<{ endpoints: WebhookEndpoint[] }> {
  const rows = await reader().webhookEndpoint.findMany({
    where: { ...own(ctx), deletedAt: null },
    orderBy: { id: "desc" },
  });
  return { endpoints: rows.map(endpointFrom) };
}

export async function findEndpoint(ctx: Context, id: string): Promise<WebhookEndpoint> {
  const row = await reader().webhookEndpoint.findFirst({ where: { ...own(ctx), id, deletedAt: null } });
  if (!row) throw notFound("webhook endpoint");
  return endpointFrom(row);
}

/** `whsec_` and 32 random bytes in base64, the format of Standard Webhooks. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** The limit per workspace: every change writes a delivery for each subscribed endpoint. */
const maxEndpoints = 50;

/** Creates an endpoint. Only this result contains its secret. */
export async function createEndpoint(
  ctx: Context,
  { enabled, description = null, ...input }: NewEndpoint,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  requireTarget(input.url);
  const id = newId("webhookEndpoint");
  const secret = newSecret();
  return change(ctx, async (tx, record) => {
    if ((await tx.webhookEndpoint.count({ where: { ...own(ctx), deletedAt: null } })) >= maxEndpoints) {
      throw new Refusal(
        "conflict",
        `A workspace has at most ${maxEndpoints} webhook endpoints. Delete one first.`,
      );
    }
    const row = await tx.webhookEndpoint.create({
      data: {
        ...own(ctx),
        ...input,
        id,
        description,
        status: enabled ? "ENABLED" : "DISABLED",
        secret: seal(secret, secretPurpose),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      },
    });
    record({
      action: "WEBHOOK_ENDPOINT_CREATED",
      target: { type: "webhook_endpoint", id },
      changes: { url: { from: null, to: input.url }, events: { from: null, to: input.events } },
    });
    return { endpoint: endpointFrom(row), secret };
  });
}

/**
 * Changes the fields that a PATCH names. Enabling an endpoint again, or giving it another URL, resets its failures;
 * disabling it ends its pending deliveries.
 */
export async function patchEndpoint(
  ctx: Context,
  { id, enabled, ...patch }: EndpointPatch,
): Promise<WebhookEndpoint> {
  if (patch.url !== undefined) requireTarget(patch.url);
  return change(ctx, async (tx, record) => {
    const before = await lockEndpoint(tx, ctx, id);
    await expectUnchanged(ctx, EndpointAnswer, () => ({ endpoint: endpointFrom(before) }));
    const { fields, changes } = differences<Partial<Row>>(before, {
      ...patch,
      ...moved(before, patch.url),
      ...switched(before, enabled),
    });
    if (Object.keys(changes).length === 0) return endpointFrom(before);
    const row = await tx.webhookEndpoint.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: { ...fields, updatedAt: ctx.now },
    });
    if (row.status !== "ENABLED") await endPending(tx, ctx, id, "The endpoint was disabled.");
    const { failingSince: _, ...told } = changes;
    record({ action: "WEBHOOK_ENDPOINT_UPDATED", target: { type: "webhook_endpoint", id }, changes: told });
    return endpointFrom(row);
  });
}

/** The failures counted so far are those of the old address. */
function moved({ url }: Row, next: string | undefined): Partial<Row> {
  return next === undefined || next === url ? {} : { consecutiveFailures: 0, failingSince: null };
}

function switched({ status }: Row, enabled: boolean | undefined): Partial<Row> {
  if (enabled === undefined) return {};
  if (!enabled) return status === "ENABLED" ? { status: "DISABLED" } : {};
  return { status: "ENABLED", consecutiveFailures: 0, failingSince: null, disabledReason: null };
}

/** Deletes an endpoint and ends its waiting deliveries. */
export async function removeEndpoint(ctx: Context, { id }: { id: string }): Promise<void> {
  await change(ctx, async (tx, record) => {
    const { url } = await lockEndpoint(tx, ctx, id);
    await tx.webhookEndpoint.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: {
        ...{ status: "DISABLED", deletedAt: ctx.now, updatedAt: ctx.now },
        ...{ secret: new Uint8Array(), previousSecret: null, previousSecretUntil: null },
      },
    });
    await endPending(tx, ctx, id, "The endpoint was deleted.");
    const changes = { url: { from: url, to: null } };
    record({ action: "WEBHOOK_ENDPOINT_DELETED", target: { type: "webhook_endpoint", id }, changes });
  });
}

/** Gives an endpoint a new secret. For 24 hours the previous one signs as well. */
export async function rotateSecret(
  ctx: Context,
  { id }: { id: string },
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const secret = newSecret();
  return change(ctx, async (tx, record) => {
    const before = await lockEndpoint(tx, ctx, id);
    const row = await tx.webhookEndpoint.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: {
        secret: seal(secret, secretPurpose),
        previousSecret: before.secret,
        previousSecretUntil: new Date(ctx.now.getTime() + dayMs),
        updatedAt: ctx.now,
      },
    });
    record({ action: "WEBHOOK_SECRET_ROTATED", target: { type: "webhook_endpoint", id } });
    return { endpoint: endpointFrom(row), secret };
  });
}

/**
 * Seals secrets that were sealed with SECRET_KEY_PREVIOUS again with SECRET_KEY, in all workspaces. Not an audited
 * change: the secrets stay the same. Returns how many it sealed; throws if neither key can read one.
 */
export async function resealSecrets(): Promise<number> {
  const rows = await db.webhookEndpoint.findMany({ where: { deletedAt: null } });
  let count = 0;
  for (const { organizationId, id, secret, previousSecret } of rows) {
    for (const [column, sealed] of Object.entries({ secret, previousSecret })) {
      const anew = sealed && reseal(sealed, secretPurpose);
      if (!anew) continue;
      // Skips a secret that was rotated in the meantime.
      const where = { organizationId, id, [column]: sealed };
      const data = { [column]: anew };
      count += (await housekeeping((store) => store.webhookEndpoint.updateMany({ where, data }))).count;
    }
  }
  return count;
}

/** Reads an endpoint and locks it against other changes until the commit. */
async function lockEndpoint(tx: Transaction, ctx: Context, id: string): Promise<Row> {
  await tx.$queryRaw`SELECT 1 FROM webhook_endpoints
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.webhookEndpoint.findFirst({ where: { ...own(ctx), id, deletedAt: null } });
  if (!row) throw notFound("webhook endpoint");
  return row;
}

function requireTarget(url: string): void {
  const problem = checkTarget(url);
  if (problem) throw invalid({ path: "url", message: problem });
}
