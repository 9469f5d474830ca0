/** Returns a download link to the PDF of a signature request, valid for five minutes. */
import { change, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { recordSignatureDownload } from "#lib/signatures/downloads.ts";
import { auditSubject, type EnvelopeRow, findRow } from "#lib/signatures/rows.ts";
import type { PdfQuery } from "#lib/signatures/schema.ts";
import { signedUrl } from "#lib/storage/signed.ts";

const contentType = "application/pdf";

/** Describes the signed PDF once there is one, the unsigned one until then; or the variant requested. */
export async function describePdf(ctx: Context, { envelopeId, variant }: PdfQuery) {
  const row = await findRow(ctx, envelopeId);
  const chosen = variant ?? (row.signedVersionId ? "signed" : "unsigned");
  const file = chosen === "signed" ? await signedFile(ctx, row) : unsignedFile(row);
  await change(ctx, async (tx, record) => {
    await recordSignatureDownload(tx, ctx, { envelopeId, variant: chosen });
    record({
      action: "SIGNATURE_PDF_DOWNLOADED",
      ...auditSubject(row),
      changes: { variant: { from: null, to: chosen } },
    });
  });
  const { versionId, sha256, fileName } = file;
  const shown = { sha256, fileName, contentType, disposition: "attachment" } as const;
  return { ...signedUrl(ctx, shown), variant: chosen, versionId, sha256 };
}

async function signedFile(ctx: Context, { signedVersionId }: EnvelopeRow) {
  if (!signedVersionId) {
    throw new Refusal(
      "signed_pdf_not_ready",
      "There is no signed PDF yet: not everyone has signed, or it is being sealed.",
    );
  }
  const { sha256, fileName } = await reader().documentVersion.findUniqueOrThrow({
    where: { organizationId_id: { ...own(ctx), id: signedVersionId } },
  });
  return { versionId: signedVersionId, sha256, fileName };
}

function unsignedFile({ documentVersionId, documentVersion, pdfSha256 }: EnvelopeRow) {
  if (!pdfSha256) {
    throw new Refusal(
      "unsigned_pdf_not_ready",
      "There is no unsigned PDF yet: the request has not been sent.",
    );
  }
  const fileName = documentVersion.fileName.replace(/\.docx$/i, ".pdf");
  return { versionId: documentVersionId, sha256: pdfSha256, fileName };
}
