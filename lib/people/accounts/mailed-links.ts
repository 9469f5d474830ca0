/** Links that were mailed to prove an address: they work for an hour, once, and are stored as a hash alone. */
import { hash, randomBytes } from "node:crypto";
import { db, type Prisma, type Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";

export type Purpose = "password_reset" | "sign_up";

const lifetimeMs = 60 * 60 * 1000;

/** 256 bits: no one can search them, so a fast hash is enough at rest. */
export const newToken = () => randomBytes(32).toString("base64url");

export function tokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", token, "buffer"));
}

/** Where links of mails lead. */
export const linkTo = (path: string) => `${settings().BASE_URL}${path}`;

interface NewLink {
  token: string;
  purpose: Purpose;
  email: string;
  data?: Prisma.InputJsonValue;
  now: Date;
}

export async function keepLink(tx: Transaction, { token, now, ...link }: NewLink): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await tx.emailToken.create({ data: { ...link, hash: tokenHash(token), expiresAt, createdAt: now } });
}

/** Refuses a link that does not work, before anything costly is done for it. */
export async function findLink(purpose: Purpose, token: string, now: Date) {
  const where = { hash: tokenHash(token), purpose, usedAt: null, expiresAt: { gt: now } };
  const found = await db.emailToken.findFirst({ where });
  if (!found) throw ofNoUse();
  return found;
}

/** Takes the link, in the transaction of what it is for: of two at once, one. */
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
  if (count === 0) throw ofNoUse();
}

function ofNoUse(): Refusal {
  return new Refusal("not_found", "This link no longer works: it was used, or it is older than an hour.");
}
