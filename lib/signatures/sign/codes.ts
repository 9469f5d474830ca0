/**
 * Codes by e-mail: 6 digits, valid for 10 minutes, 5 tries and the visit that requested them. Only their MAC is
 * stored.
 */
import { randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { mac } from "#lib/core/encryption.ts";
import { Refusal } from "#lib/core/errors.ts";
import { takeTurn } from "#lib/mail/quota.ts";
import { addEvent } from "#lib/signatures/events.ts";
import { queueSigningMail } from "#lib/signatures/mails.ts";
import { type EnvelopeRow, type SignerRow, signerOf } from "#lib/signatures/rows.ts";
import { screenOf } from "./screens.ts";
import { envelopeIdOf, lockForSigner, recordViewed, requireSigner } from "./turn.ts";

const minutes = 10;
export const maxCodeAttempts = 5;
/** Visits cost nothing, so guesses are limited by the codes sent to a signer: 25 guesses an hour. */
const maxCodesPerHour = 5;
/** For one place in a request, across delegations. */
export const maxCodes = 40;
const hourMs = 60 * 60 * 1000;

/** A plain hash of six digits could be brute-forced; this one needs the installation's key. */
function macOf(session: string, code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(mac(`${session} ${code}`, "signing code"));
}

/** Sends a code; earlier codes stop working. */
export async function requestCode(ctx: Context): Promise<void> {
  const { id: signerId, session } = requireSigner(ctx);
  const envelopeId = await envelopeIdOf(ctx);
  await change(ctx, async (tx) => {
    const row = await lockForSigner(tx, ctx, envelopeId);
    const signer = signerOf(row, signerId);
    if (!signer.codeRequired) throw new Refusal("invalid_transition", "The sender did not ask for a code.");
    if (screenOf(row, signer, { codeVerifiedAt: null }, ctx.now) !== "code") {
      throw new Refusal("invalid_transition", "No code is needed now: reload the page to see why.");
    }
    await refuseTooMany(tx, ctx, row, signer);
    const since = new Date(ctx.now.getTime() - hourMs);
    const sent = await tx.signingMail.count({
      where: { ...own(ctx), envelopeId, signerId, template: "signing-code", createdAt: { gt: since } },
    });
    if (sent >= maxCodesPerHour) {
      throw new Refusal(
        "rate_limited",
        `At most ${maxCodesPerHour} codes are sent in an hour. Try again later.`,
      );
    }
    const id = randomUUID();
    const turn = await takeTurn(tx, { id, address: signer.email, template: "signing-code" });
    if (turn.mustWait) {
      // The code would have expired by the time it arrives.
      const waitMinutes = Math.max(1, Math.ceil((turn.dueAt.getTime() - ctx.now.getTime()) / 60_000));
      throw new Refusal(
        "rate_limited",
        `Too many codes were sent to your address. Try again in ${waitMinutes} ${waitMinutes === 1 ? "minute" : "minutes"}.`,
      );
    }
    const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
    await tx.signerSession.update({
      where: { organizationId_id: { ...own(ctx), id: session } },
      data: {
        codeHash: macOf(session, code),
        codeSentAt: ctx.now,
        codeExpiresAt: new Date(ctx.now.getTime() + minutes * 60_000),
        codeTries: 0,
      },
    });
    await addEvent(tx, ctx, { envelopeId, signerId, type: "CODE_SENT" });
    await queueSigningMail(tx, ctx, {
      ...{ id, envelopeId, signerId },
      mail: {
        template: "signing-code",
        to: { address: signer.email, name: signer.name },
        data: { subject: row.subject, code, minutes },
      },
    });
  });
}

/**
 * Throws if a place in the request has used up its codes. Codes and wrong tries are part of the evidence, which is
 * sealed and read as a whole, so nobody may be able to inflate it, not even by delegating.
 */
async function refuseTooMany(
  tx: Transaction,
  ctx: Context,
  { id: envelopeId, signers }: EnvelopeRow,
  signer: SignerRow,
): Promise<void> {
  const place = [signer.id];
  for (const id of place)
    place.push(...signers.filter((one) => one.delegatedToId === id).map((one) => one.id));
  const sent = await tx.signingEvent.count({
    where: { ...own(ctx), envelopeId, signerId: { in: place }, type: "CODE_SENT" },
  });
  if (sent < maxCodes) return;
  throw new Refusal(
    "invalid_transition",
    `${maxCodes} codes have been sent, which is the limit. Ask the sender for a new request.`,
  );
}

/** Uses one try. The right code unlocks the visit; a wrong one is counted even if something else is refused. */
export async function verifyCode(ctx: Context, code: string): Promise<void> {
  const { id: signerId, session } = requireSigner(ctx);
  const envelopeId = await envelopeIdOf(ctx);
  const left = await change(ctx, async (tx) => {
    await lockForSigner(tx, ctx, envelopeId);
    const where = { organizationId_id: { ...own(ctx), id: session } };
    const visit = await tx.signerSession.findUniqueOrThrow({ where });
    if (visit.codeVerifiedAt) return null;
    const given = macOf(session, code);
    const wanted = visit.codeHash ?? new Uint8Array(given.length);
    const isRight = timingSafeEqual(given, wanted) && visit.codeHash !== null;
    const isGood =
      visit.codeExpiresAt !== null && visit.codeExpiresAt > ctx.now && visit.codeTries < maxCodeAttempts;
    if (isRight && isGood) {
      await tx.signerSession.update({ where, data: { codeVerifiedAt: ctx.now, codeHash: null } });
      await addEvent(tx, ctx, { envelopeId, signerId, type: "CODE_VERIFIED" });
      return null;
    }
    if (!isGood) return 0;
    await tx.signerSession.update({ where, data: { codeTries: visit.codeTries + 1 } });
    await addEvent(tx, ctx, { envelopeId, signerId, type: "CODE_FAILED" });
    return maxCodeAttempts - visit.codeTries - 1;
  });
  if (left === null) {
    await recordViewed(ctx);
    return;
  }
  throw new Refusal(
    "invalid_transition",
    left > 0
      ? `This code is wrong. ${left} ${left === 1 ? "attempt is" : "attempts are"} left.`
      : "This code is no longer valid. Ask for a new one.",
  );
}
