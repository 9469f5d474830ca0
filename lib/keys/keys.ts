/** Creates and revokes API keys, and finds them by their hash on every request. */
import { LRUCache } from "lru-cache";
import { Batcher } from "#lib/core/batches/batcher.ts";
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { query } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { type Preset, presets } from "#lib/core/scopes.ts";
import { keyHash, newKey } from "./secret.ts";

/** Limited because every key has its own full rate limit. */
const maxKeys = 100;

const living = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });

/** Creates a key. Only this result contains its secret. */
export async function insertKey(
  ctx: Context,
  input: { name: string; preset: Preset; expiresAt?: Date | null },
): Promise<{ id: string; key: string; publicId: string }> {
  const { key, publicId } = newKey();
  const id = newId("apiKey");
  await change(ctx, async (tx, record) => {
    if ((await tx.apiKey.count({ where: { ...own(ctx), ...living(ctx.now) } })) >= maxKeys) {
      throw new Refusal(
        "conflict",
        `A workspace has at most ${maxKeys} API keys. Revoke one that is not used any more.`,
      );
    }
    await tx.apiKey.create({
      data: {
        ...own(ctx),
        id,
        name: input.name,
        publicId,
        hash: new Uint8Array(keyHash(key)),
        scopes: [...presets[input.preset]],
        createdById: ctx.actor.kind === "user" ? ctx.actor.id : null,
        expiresAt: input.expiresAt ?? null,
        createdAt: ctx.now,
      },
    });
    const { name, preset } = input;
    const changes = { name: { from: null, to: name }, preset: { from: null, to: preset } };
    record({ action: "API_KEY_CREATED", target: { type: "api_key", id }, changes });
  });
  return { id, key, publicId };
}

/** Revokes a key at once, on every server. Revoking it again changes nothing. */
export async function revokeKey(ctx: Context, id: string): Promise<void> {
  await change(ctx, async (tx, record) => {
    const [row] = await tx.apiKey.updateManyAndReturn({
      where: { ...own(ctx), id, revokedAt: null },
      data: { revokedAt: ctx.now },
      select: { name: true },
    });
    if (row) {
      const changes = { name: { from: row.name, to: null } };
      record({ action: "API_KEY_REVOKED", target: { type: "api_key", id }, changes });
    } else if (!(await tx.apiKey.findFirst({ where: { ...own(ctx), id } }))) throw notFound("API key");
  });
}

/** A key with what is needed to admit a request, and the state of its workspace. */
export interface FoundKey {
  organizationId: string;
  id: string;
  name: string;
  scopes: string[];
  usable: boolean;
  lastUsedAt: string | null;
  subscriptionStatus: string;
  /** The workspace's change number: while it stays the same, every read returns the same result. */
  seq: string;
  /** Whether a webhook endpoint of the workspace is enabled. */
  hasListeners: boolean;
}

/**
 * Finds a key by its secret, on every request. Requests that arrive while two lookups of the same key are running share
 * the next one. It starts after all of them have arrived, so each sees everything committed before its arrival.
 */
export function findKey(key: string): Promise<FoundKey | undefined> {
  const hash = keyHash(key);
  return lookups.add(hash.toString("latin1"), hash);
}

const lookups = new Batcher(lookUpOnce, { atOnce: 2, most: 1000 });

async function lookUpOnce(hashes: Buffer[]): Promise<(() => FoundKey | undefined)[]> {
  const found = await lookUp(hashes[0]!);
  return hashes.map(() => () => found);
}

/** Reads the key and the workspace's change number in one statement. */
async function lookUp(hash: Buffer): Promise<FoundKey | undefined> {
  const [found] = await query<Omit<FoundKey, "scopes"> & { scopes: string }>(
    `SELECT k.organization_id AS "organizationId", k.id, k.name, array_to_string(k.scopes, ' ') AS scopes, k.last_used_at AS "lastUsedAt",
       k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS usable,
       o.subscription_status AS "subscriptionStatus", h.seq,
       EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.organization_id = k.organization_id
         AND w.status = 'ENABLED' AND w.deleted_at IS NULL) AS "hasListeners"
     FROM api_keys k
     JOIN organizations o ON o.id = k.organization_id
     JOIN workspace_heads h ON h.organization_id = k.organization_id
     WHERE k.hash = $1`,
    [hash],
  );
  return found && { ...found, scopes: scopesIn(found.scopes) };
}

/** Caches parsed scopes: there are only as many lists as presets, and parsing one takes as long as reading a key. */
const scopeLists = new LRUCache<string, string[]>({ max: 100 });

function scopesIn(text: string): string[] {
  const known = scopeLists.get(text) ?? text.split(" ");
  scopeLists.set(text, known);
  return known;
}

/** Stores when a key was last used, at most once a minute. Not an audited change: the log has the key's actions. */
export async function recordUse(found: FoundKey, now: Date): Promise<void> {
  if (found.lastUsedAt && now.getTime() - Date.parse(found.lastUsedAt) < 60_000) return;
  await housekeeping((store) =>
    store.apiKey.updateMany({
      where: { organizationId: found.organizationId, id: found.id },
      data: { lastUsedAt: now },
    }),
  );
}
