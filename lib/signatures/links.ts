/** Signing links: 256 random bits for one signer. Only the hash is stored. */
import { hash, randomBytes, randomUUID } from "node:crypto";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";

const lifetimeMs = 365 * 24 * 60 * 60 * 1000;

/** The stored hash of a token. A fast hash is enough: 256 bits cannot be brute-forced. */
export function tokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", token, "buffer"));
}

export const newToken = (): string => randomBytes(32).toString("base64url");

/** Creates a link for a signer. The returned value is the only place where the token can be read. */
export async function createLink(
  tx: Transaction,
  ctx: Context,
  signerId: string,
): Promise<{ id: string; url: string }> {
  const token = newToken();
  const id = randomUUID();
  const expiresAt = new Date(ctx.now.getTime() + lifetimeMs);
  await tx.signerLink.create({
    data: { ...own(ctx), id, signerId, tokenHash: tokenHash(token), createdAt: ctx.now, expiresAt },
  });
  return { id, url: `${settings().BASE_URL}/sign/${token}` };
}

/** Revokes every link of a signer and ends the visits opened with them. */
export async function revokeLinks(tx: Transaction, ctx: Context, signerId: string): Promise<void> {
  const where = { ...own(ctx), signerId };
  await tx.signerLink.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: ctx.now } });
  await tx.signerSession.updateMany({ where, data: { expiresAt: ctx.now } });
}
