/** The bytes a signer may download: the document while signing, the signed PDF afterwards. */
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { db } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { recordSignatureDownload } from "#lib/signatures/downloads.ts";
import { auditSubject } from "#lib/signatures/rows.ts";
import { signedUrl } from "#lib/storage/signed.ts";
import { showsDocument } from "./screens.ts";
import { loadScreen } from "./state.ts";
import { recordViewed } from "./turn.ts";

const contentType = "application/pdf";
const pdfName = (fileName: string) => fileName.replace(/\.docx$/i, ".pdf");

/** The frozen PDF, for display in the page; opened directly, its URL downloads it. */
export async function documentUrl(ctx: Context) {
  const { row, screen } = await loadScreen(ctx);
  if (!showsDocument(screen) || !row.pdfSha256) {
    throw new Refusal("invalid_transition", "The document cannot be shown to you now.");
  }
  await recordViewed(ctx, row);
  const fileName = pdfName(row.documentVersion.fileName);
  const file = { sha256: row.pdfSha256, fileName, contentType, disposition: "attachment" } as const;
  return { ...signedUrl(ctx, file), fileName, sha256: row.pdfSha256 };
}

/** The signed and sealed PDF, for the signer to keep. */
export async function downloadUrl(ctx: Context) {
  const { row, signer, screen } = await loadScreen(ctx);
  if (row.status === "SEALING") {
    throw new Refusal("signed_pdf_not_ready", "The signed PDF is being sealed. Try again in a moment.");
  }
  if (screen !== "completed" || !row.signedVersionId) {
    throw new Refusal("invalid_transition", "There is a signed PDF only when everyone has signed.");
  }
  const { sha256, fileName } = await db.documentVersion.findUniqueOrThrow({
    where: { organizationId_id: { ...own(ctx), id: row.signedVersionId } },
  });
  await change(ctx, async (tx, record) => {
    const isNew = await recordSignatureDownload(tx, ctx, { envelopeId: row.id, signerId: signer.id });
    if (isNew) record({ action: "SIGNATURE_PDF_DOWNLOADED", ...auditSubject(row) });
  });
  return {
    ...signedUrl(ctx, { sha256, fileName, contentType, disposition: "attachment" }),
    fileName,
    sha256,
  };
}
