/** Mailed links that prove an address: they work once, within an hour, and only their hash is stored. */
import { hash, randomBytes } from "node:crypto";
import { db, type Prisma, type Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";

export type Purpose = "password_reset" | "sign_up";

const lifetimeMs = 60 * 60 * 1000;

/** A token of 256 random bits, which cannot be guessed, so a fast hash is enough to store it. */
export const newToken = () => randomBytes(32).toString("base64url");

export function tokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", token, "buffer"));
}

/** The URL of a link in an e-mail. */
export const linkTo = (path: string) => `${settings().BASE_URL}${path}`;

interface NewLink {
  token: string;
  purpose: Purpose;
  email: string;
  data?: Prisma.InputJsonValue;
  now: Date;
}

export async function storeLink(tx: Transaction, { token, now, ...link }: NewLink): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await tx.emailToken.create({ data: { ...link, hash: tokenHash(token), expiresAt, createdAt: now } });
}

/** Finds a link. Throws if it does not work, so call this before any costly work. */
export async function findLink(purpose: Purpose, token: string, now: Date) {
  const where = { hash: tokenHash(token), purpose, usedAt: null, expiresAt: { gt: now } };
  const found = await db.emailToken.findFirst({ where });
  if (!found) throw invalidLink();
  return found;
}

/** Marks a link as used and throws if it already was: of two concurrent transactions that use it, only one commits. */
export async function consumeLink(
  tx: Transaction,
  purpose: Purpose,
  token: string,
  now: Date,
): Promise<void> {
  const { count } = await tx.emailToken.updateMany({
    where: { hash: tokenHash(token), purpose, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw invalidLink();
}

function invalidLink(): Refusal {
  return new Refusal("not_found", "This link no longer works: it was used, or it is older than an hour.");
}
