/** Lists and creates API keys for the settings. */
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma } from "#lib/core/db.ts";
import { notFound } from "#lib/core/errors.ts";
import { type Preset, presets, type Scope } from "#lib/core/scopes.ts";
import { insertKey } from "./keys.ts";
import type { ApiKey, NewApiKey } from "./schema.ts";

type Row = Prisma.ApiKeyGetPayload<object>;

/** Returns all keys, including expired and revoked ones, newest first. */
export async function listKeys(ctx: Context): Promise<{ data: ApiKey[] }> {
  const rows = await reader().apiKey.findMany({ where: own(ctx), orderBy: { id: "desc" } });
  const makers = rows.flatMap(({ createdById }) => createdById ?? []);
  const users = await reader().user.findMany({
    where: { id: { in: makers } },
    select: { id: true, name: true },
  });
  const byId = new Map(users.map((user) => [user.id, user]));
  return { data: rows.map((row) => keyFrom(row, byId.get(row.createdById ?? "") ?? null, ctx.now)) };
}

/** Creates a key and returns it as the list shows it, with its secret. */
export async function createKey(ctx: Context, input: NewApiKey): Promise<{ apiKey: ApiKey; secret: string }> {
  const { id, key } = await insertKey(ctx, { ...input, expiresAt: input.expiresAt ?? null });
  const { data } = await listKeys(ctx);
  const apiKey = data.find((one) => one.id === id);
  if (!apiKey) throw notFound("API key");
  return { apiKey, secret: key };
}

function keyFrom(row: Row, createdBy: ApiKey["createdBy"], now: Date): ApiKey {
  const time = (date: Date | null) => date?.toISOString() ?? null;
  const { id, name, publicId, expiresAt, lastUsedAt, revokedAt, createdAt } = row;
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    ...{ id, name, publicId, createdBy },
    preset: presetOf(row.scopes),
    scopes: row.scopes as Scope[],
    status: revokedAt ? "revoked" : isExpired ? "expired" : "active",
    expiresAt: time(expiresAt),
    lastUsedAt: time(lastUsedAt),
    revokedAt: time(revokedAt),
    createdAt: createdAt.toISOString(),
  };
}

function presetOf(scopes: string[]): Preset | null {
  const found = Object.entries(presets).find(
    ([, known]) => known.length === scopes.length && known.every((scope) => scopes.includes(scope)),
  );
  return (found?.[0] as Preset | undefined) ?? null;
}
