/** The key that a workspace seals with: its own, created on first use, or the one set by the operator. */

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { clock } from "#lib/core/clock.ts";
import { type Context, own } from "#lib/core/context.ts";
import { db, type Reader, type Transaction } from "#lib/core/db.ts";
import { reseal, seal, unseal } from "#lib/core/encryption.ts";
import { BadSetting, settings } from "#lib/core/env.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import {
  createSigningKey,
  describeCertificate,
  expiryOf,
  readPkcs12,
  type SealingKey,
} from "#lib/documents/seal/signing-key.ts";

const purpose = "signing key";

export async function sealingKey(ctx: Context): Promise<SealingKey> {
  const key = await operatorsKey();
  if (!key) return (await storedKey(db, ctx)) ?? (await createKey(ctx));
  await housekeeping((store) => remember(store, ctx, key, null));
  return key;
}

/** The key in SIGNING_P12; null if not set. Throws BadSetting, which says what is wrong with the file. */
async function operatorsKey(): Promise<SealingKey | null> {
  const { SIGNING_P12, SIGNING_P12_PASSWORD } = settings();
  if (!SIGNING_P12) return null;
  const file = await readFile(SIGNING_P12).catch((cause) => {
    throw new BadSetting(`SIGNING_P12: ${SIGNING_P12} cannot be read (${cause.code})`, { cause });
  });
  return readPkcs12(file, SIGNING_P12_PASSWORD, clock()).catch((cause) => {
    throw new BadSetting(`SIGNING_P12: ${cause.message}`, { cause });
  });
}

const dayMs = 24 * 60 * 60 * 1000;
const warnedDays = 30;

/** Logs a warning if the key in SIGNING_P12 is about to expire. Throws BadSetting if it cannot be used now. */
export async function checkOperatorsKey(): Promise<void> {
  const key = await operatorsKey();
  if (!key) return;
  const expiresAt = expiryOf(key);
  const days = Math.floor((expiresAt.getTime() - clock().getTime()) / dayMs);
  if (days >= warnedDays) return;
  const message = `SIGNING_P12: its certificate expires in ${days} days; from then on nothing can be sealed`;
  log().warn({ expiresAt }, message);
}

async function storedKey(store: Pick<Reader, "signingKey">, ctx: Context): Promise<SealingKey | null> {
  const row = await store.signingKey.findFirst({
    where: { ...own(ctx), privateKey: { not: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  if (!row?.privateKey) return null;
  return {
    certificates: row.certificates,
    privateKey: Buffer.from(unseal(row.privateKey, purpose), "base64"),
  };
}

/** Encrypts all keys with the current SECRET_KEY; returns how many were not yet. */
export async function resealSigningKeys(): Promise<number> {
  let count = 0;
  for (const { organizationId, id, privateKey } of await db.signingKey.findMany({
    where: { privateKey: { not: null } },
  })) {
    const anew = privateKey && reseal(privateKey, purpose);
    if (!anew) continue;
    const where = { organizationId_id: { organizationId, id } };
    await housekeeping((store) => store.signingKey.update({ where, data: { privateKey: anew } }));
    count++;
  }
  return count;
}

const patient = { maxWait: 10_000, timeout: 60_000 };

/** Locks the workspace's row, so that two workers that create a key at the same time agree on the first one. */
async function createKey(ctx: Context): Promise<SealingKey> {
  return atomicHousekeeping(async (tx) => {
    const [workspace] = await tx.$queryRaw<{ name: string }[]>`
      SELECT name FROM organizations WHERE id = ${ctx.organizationId} FOR NO KEY UPDATE`;
    const made = await storedKey(tx, ctx);
    if (made) return made;
    const { organizationId } = ctx;
    const key = createSigningKey({
      organizationId,
      organizationName: workspace?.name ?? "",
      at: ctx.now,
    });
    await remember(tx, ctx, key, seal(Buffer.from(key.privateKey).toString("base64"), purpose));
    return key;
  }, patient);
}

/** Stores the certificate, by which the workspace's documents are recognized forever. */
async function remember(
  tx: Pick<Transaction, "signingKey">,
  ctx: Context,
  key: SealingKey,
  privateKey: Uint8Array<ArrayBuffer> | null,
): Promise<void> {
  const { fingerprint } = describeCertificate(key.certificates[0]!);
  const certificates = key.certificates.map((certificate) => new Uint8Array(certificate));
  const row = { ...own(ctx), id: randomUUID(), fingerprint, certificates, privateKey, createdAt: ctx.now };
  await tx.signingKey.createMany({ data: [row], skipDuplicates: true });
}
