/** What signers do: consent, adopt a signature, sign, decline. */
import { skipAudit } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { endRequest } from "#lib/signatures/endings.ts";
import { addEvent } from "#lib/signatures/events.ts";
import { statusAfterSigning } from "#lib/signatures/lifecycle.ts";
import { notifyTurn } from "#lib/signatures/notices.ts";
import { enqueueSealing } from "#lib/signatures/queue.ts";
import { auditSubject, type EnvelopeRow, envelopeFrom, include } from "#lib/signatures/rows.ts";
import { entriesHash } from "#lib/signatures/seal/history.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";
import { consentHash } from "./consent.ts";
import { storeImage } from "./images.ts";
import { refuseUnwritable } from "./pictures.ts";
import type { Adoption, Values } from "./schema.ts";
import { inTurn, recordViewed, refuseUnlessInTurn } from "./turn.ts";
import { clearUnadoptedInitials, fillAutomatic, missingOf, writeValues } from "./values.ts";

const signerWhere = (ctx: Context, id: string) => ({ organizationId_id: { ...own(ctx), id } });

/** Records the signer's consent to the text whose hash they were shown. Given once. */
export async function giveConsent(ctx: Context, hash: string): Promise<void> {
  if (hash !== consentHash) {
    throw new Refusal("conflict", "The text that you agree to has changed. Read it again.");
  }
  await recordViewed(ctx);
  await inTurn(ctx, { consented: false }, async ({ tx, row, signer }) => {
    if (signer.consentAt) return;
    await tx.signer.update({ where: signerWhere(ctx, signer.id), data: { consentAt: ctx.now, consentHash } });
    await addEvent(tx, ctx, {
      ...{ envelopeId: row.id, signerId: signer.id, type: "CONSENTED" },
      details: { consentSha256: consentHash },
    });
  });
}

/** Adopts the appearance of the signer's signature and initials for every field of this request. */
export async function adoptSignature(ctx: Context, adoption: Adoption): Promise<EnvelopeRow> {
  // Check permission first: processing an image costs more than anything else a signer can do.
  await refuseUnlessInTurn(ctx, { consented: true });
  const { kind, text = null, initialsText = null } = adoption;
  await refuseUnwritable(ctx, { text: kind === "typed" ? text : null, initialsText });
  const { image, initialsImage } = kind === "typed" ? {} : adoption;
  const signatureSha256 = image === undefined ? null : await storeImage(ctx, "image", image);
  const initialsSha256 =
    initialsImage === undefined ? null : await storeImage(ctx, "initialsImage", initialsImage);
  return inTurn(ctx, { consented: true }, async ({ tx, row, signer }) => {
    skipAudit();
    const isKept = kind !== "typed" && !signatureSha256;
    if (isKept && (signer.signatureKind !== kind || !signer.signatureSha256)) {
      throw invalid({ path: "image", message: "is required" });
    }
    for (const sha256 of [signatureSha256, initialsSha256]) {
      if (sha256) await lockExistingFile(tx, ctx.organizationId, sha256);
    }
    const adopted = await tx.signer.update({
      where: signerWhere(ctx, signer.id),
      data: {
        signatureKind: kind,
        signatureText: kind === "typed" ? text : null,
        signatureSha256: isKept ? signer.signatureSha256 : signatureSha256,
        initialsText: initialsSha256 ? null : initialsText,
        initialsSha256,
      },
    });
    Object.assign(signer, adopted);
    await clearUnadoptedInitials(tx, row, signer);
    return row;
  });
}

/**
 * Signs. All conditions are checked under the envelope's lock: turn, deadline, consent, every required field. The
 * last signature enqueues the sealing job in the same transaction.
 */
export async function finish(ctx: Context, { values }: Values): Promise<EnvelopeRow> {
  return inTurn(ctx, { consented: true }, async ({ tx, record, row, signer }) => {
    await writeValues(tx, row, signer, values);
    const missing = missingOf(row, signer);
    if (missing.length > 0) {
      throw invalid(...missing.map(({ id }) => ({ path: `values.${id}`, message: "is required" })));
    }
    await fillAutomatic(tx, ctx, row, signer);
    const signed = await tx.signer.update({
      where: { ...signerWhere(ctx, signer.id), signedAt: null },
      data: { signedAt: ctx.now, signedName: signer.name, signedIp: ctx.ip, signedUserAgent: ctx.userAgent },
    });
    await addEvent(tx, ctx, {
      ...{ envelopeId: row.id, signerId: signer.id, type: "SIGNED" },
      details: {
        ...{ signatureKind: signer.signatureKind, pdfSha256: row.pdfSha256 },
        entriesSha256: entriesHash(row, signed),
      },
    });
    const status = statusAfterSigning(row, signer.id);
    const after = await tx.envelope.update({
      where: { organizationId_id: { ...own(ctx), id: row.id }, status: row.status },
      data: { status, updatedAt: ctx.now },
      include,
    });
    if (status === "SEALING") await enqueueSealing(tx, ctx, row.id);
    else await notifyTurn(tx, ctx, after);
    record({
      action: "SIGNATURE_REQUEST_SIGNED",
      ...auditSubject(row),
      changes: row.status === status ? {} : { status: { from: row.status, to: status } },
      resource: { envelope: envelopeFrom(after) },
    });
    return after;
  });
}

/** Declines on behalf of everyone: nobody can sign any more. */
export async function decline(ctx: Context, reason: string): Promise<void> {
  await inTurn(ctx, { consented: false }, async ({ tx, record, row, signer }) => {
    await tx.signer.update({
      where: { ...signerWhere(ctx, signer.id), declinedAt: null },
      data: { declinedAt: ctx.now, declineReason: reason },
    });
    await endRequest(tx, ctx, record, row, {
      status: "DECLINED",
      by: signer.name,
      reason,
      signerId: signer.id,
    });
  });
}
