/** Sending freezes the draft, moves the contract out for signature, and notifies the first signers. */

import { sendContractOut } from "#lib/contracts/contracts.ts";
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { documentOf, errorsOf } from "#lib/signatures/draft/checks.ts";
import { type SigningCopy, signingCopyOf } from "#lib/signatures/draft/signing-copy.ts";
import { addEvent } from "#lib/signatures/events.ts";
import { isOutForSignature } from "#lib/signatures/lifecycle.ts";
import { departedSigners } from "#lib/signatures/membership.ts";
import { notifyTurn } from "#lib/signatures/notices.ts";
import { auditSubject, envelopeFrom, findRow, lockRow, requireSender } from "#lib/signatures/rows.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";

/** Sends a draft. If two callers do so at once, one gets an error. */
export async function sendDraft(ctx: Context, envelopeId: string): Promise<void> {
  const { id: sentById } = requireSender(ctx);
  const prepared = await prepare(ctx, envelopeId);
  await change(ctx, async (tx, record) => {
    const row = await lockRow(tx, ctx, envelopeId);
    if (row.status !== "DRAFT") {
      const sent = isOutForSignature(row.status) ? "It has already been sent." : `It is ${row.status}.`;
      throw new Refusal("invalid_transition", `Only a draft can be sent. ${sent}`);
    }
    const previousContractStatus = await sendContractOut(ctx, row.contractId, row.documentVersionId);
    row.contract.status = previousContractStatus;
    const document = await documentOf(ctx, row);
    const copy = document.pdfSha256 === prepared?.of ? prepared.copy : null;
    const left = await departedSigners(ctx, row.signers);
    const errors = errorsOf({ row, document, copy, left }, ctx.now);
    if (errors.length > 0) throw invalid(...errors);
    if (!copy || "problem" in copy) {
      throw new Refusal(
        "conflict",
        "The draft was changed while it was being sent. Review it, and send it again.",
      );
    }
    const { sha256: pdfSha256 } = copy;
    await lockExistingFile(tx, ctx.organizationId, pdfSha256);
    await tx.envelope.update({
      where: { organizationId_id: { ...own(ctx), id: row.id }, status: "DRAFT" },
      data: {
        status: "SENT",
        documentSnapshotHash: document.sha256,
        pdfSha256,
        ...{ previousContractStatus, sentById, sentAt: ctx.now, updatedAt: ctx.now },
      },
    });
    await addEvent(tx, ctx, {
      ...{ envelopeId: row.id, type: "SENT" },
      details: { documentSnapshotHash: document.sha256, pdfSha256 },
    });
    await notifyTurn(tx, ctx, { ...row, sentById });
    record({
      action: "SIGNATURE_REQUEST_SENT",
      ...auditSubject(row),
      changes: { status: { from: "DRAFT", to: "SENT" } },
      resource: { envelope: envelopeFrom(await findRow(ctx, row.id)) },
    });
  });
}

/**
 * Makes the PDF that is shown and sealed, before the transaction because it takes a second. Returns null if something
 * else prevents sending; the transaction reports it.
 */
async function prepare(ctx: Context, envelopeId: string): Promise<{ of: string; copy: SigningCopy } | null> {
  const row = await findRow(ctx, envelopeId);
  if (row.status !== "DRAFT") return null;
  const document = await documentOf(ctx, row);
  const of = document.pdfSha256;
  const left = await departedSigners(ctx, row.signers);
  if (!of || errorsOf({ row, document, copy: null, left }, ctx.now).length > 0) return null;
  return { of, copy: await signingCopyOf(ctx, of) };
}
