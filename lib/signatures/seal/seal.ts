/**
 * The sealing job. Whichever process is killed at whatever point, an envelope gets one sealed version: the bytes are
 * made and stored first, and a single transaction, under the envelope's lock and only while it is SEALING, does the
 * rest.
 */
import { z } from "zod";
import { moveContractOn } from "#lib/contracts/contracts.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import { change, skipAudit } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import { db } from "#lib/core/db.ts";
import { BadSetting, settings } from "#lib/core/env.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import { CannotSeal, sealDocument } from "#lib/documents/seal/seal.ts";
import { addEvent, chainOf } from "#lib/signatures/events.ts";
import { notifyOfCompletion } from "#lib/signatures/notices.ts";
import { enqueueSealing } from "#lib/signatures/queue.ts";
import { auditSubject, type EnvelopeRow, envelopeFrom, findRow, lockRow } from "#lib/signatures/rows.ts";
import { store, withStoredFile } from "#lib/storage/store.ts";
import { evidenceOf } from "./evidence.ts";
import { requireHistory } from "./history.ts";
import { sealingKey } from "./keys.ts";
import { marksOf } from "./marks.ts";

const Payload = z.object({ organizationId: z.string(), envelopeId: z.string() });

/** Seals an envelope, or records why it failed and when to retry. Does nothing if it is sealed already. */
export async function sealEnvelope(payload: unknown): Promise<void> {
  const { organizationId, envelopeId } = Payload.parse(payload);
  const begun = systemContext(organizationId, "sealing");
  const tried = await housekeeping(
    (store) => store.$executeRaw`
    UPDATE envelopes SET seal_attempts = seal_attempts + 1, seal_tried_at = ${begun.now}, next_seal_at = NULL
    WHERE organization_id = ${organizationId} AND id = ${envelopeId} AND status = 'SEALING'`,
  );
  if (tried === 0) return;
  const row = await findRow(begun, envelopeId);
  try {
    const sealed = await createSealed(begun, row);
    await complete(systemContext(organizationId, "sealing"), row, sealed);
  } catch (error) {
    log().warn(
      { organizationId, envelopeId, error: (error as Error).message },
      "a document could not be sealed",
    );
    await recordFailure(systemContext(organizationId, "sealing"), envelopeId, error as Error);
  }
}

interface Sealed {
  sha256: string;
  sizeBytes: number;
  pageCount: number;
  level: string;
}

async function createSealed(ctx: Context, row: EnvelopeRow): Promise<Sealed> {
  const { organizationId } = ctx;
  const events = await chainOf(db, ctx, row.id);
  requireHistory(row, events);
  const [evidence, fields, key] = await Promise.all([
    evidenceOf(ctx, row, events),
    marksOf(ctx, row),
    sealingKey(ctx),
  ]);
  const { TSA_URL, BASE_URL } = settings();
  const sealed = await withStoredFile(organizationId, row.pdfSha256 ?? "", (path) =>
    sealDocument({ path, evidence, fields }, key, {
      timestampUrl: TSA_URL,
      verifyUrl: `${BASE_URL}/verify`,
      at: ctx.now,
    }),
  );
  const { sizeBytes } = await store(organizationId, sealed.bytes);
  const { sha256, pageCount, level } = sealed;
  return { sha256, sizeBytes, pageCount, level };
}

async function complete(ctx: Context, before: EnvelopeRow, sealed: Sealed): Promise<void> {
  await change(ctx, async (tx, record) => {
    const row = await lockRow(tx, ctx, before.id);
    if (row.status !== "SEALING") return;
    const { sha256, sizeBytes, pageCount, level } = sealed;
    const version = await addVersion(ctx, {
      contractId: row.contractId,
      source: "SIGNED",
      fileName: signedName(row.documentVersion.fileName),
      contentType: "application/pdf",
      ...{ sha256, sizeBytes, pageCount },
      parentVersionId: row.documentVersionId,
    });
    await tx.envelope.update({
      where: { organizationId_id: { ...own(ctx), id: row.id }, status: "SEALING" },
      data: {
        ...{ status: "COMPLETED", signedVersionId: version.id, completedAt: ctx.now, updatedAt: ctx.now },
        ...{ sealError: null, nextSealAt: null },
      },
    });
    await addEvent(tx, ctx, {
      ...{ envelopeId: row.id, type: "SEALED" },
      details: { versionId: version.id, sha256, level },
    });
    await addEvent(tx, ctx, { envelopeId: row.id, type: "COMPLETED" });
    const reason = "Signed by everyone and sealed";
    await moveContractOn(ctx, row.contractId, { from: "OUT_FOR_SIGNATURE", next: "EXECUTED", reason });
    await notifyOfCompletion(tx, ctx, row);
    record({
      action: "SIGNATURE_REQUEST_COMPLETED",
      ...auditSubject(row),
      changes: {
        status: { from: "SEALING", to: "COMPLETED" },
        signedVersionId: { from: null, to: version.id },
      },
      resource: { envelope: envelopeFrom(await findRow(ctx, row.id)) },
    });
  });
}

/** `agreement.docx` as `agreement (signed).pdf`. */
const signedName = (fileName: string) =>
  `${fileName.replace(/\.(pdf|docx)$/i, "").slice(0, 180)} (signed).pdf`;

/** One minute, two, four …, at most an hour; it never stops retrying. */
const pauseMs = (attempts: number) => Math.min(60_000 * 2 ** Math.max(0, attempts - 1), 60 * 60_000);

async function recordFailure(ctx: Context, envelopeId: string, error: Error): Promise<void> {
  const reason =
    error instanceof CannotSeal || error instanceof BadSetting
      ? error.message
      : `Something unexpected: ${error.message}`;
  await change(ctx, async (tx) => {
    const row = await lockRow(tx, ctx, envelopeId);
    if (row.status !== "SEALING") return;
    const nextSealAt = new Date(ctx.now.getTime() + pauseMs(row.sealAttempts));
    // Only a new reason is worth an event.
    if (row.sealError !== reason) {
      await addEvent(tx, ctx, { envelopeId, type: "SEAL_FAILED", details: { reason } });
    }
    skipAudit();
    await tx.$executeRaw`UPDATE envelopes SET seal_error = ${reason}, next_seal_at = ${nextSealAt}
      WHERE organization_id = ${ctx.organizationId} AND id = ${envelopeId}`;
    await enqueueSealing(tx, ctx, envelopeId, nextSealAt);
  });
}
