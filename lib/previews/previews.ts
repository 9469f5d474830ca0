/** The first page of a version as an image: drawn on the first request, and kept as long as the version. */
import { enqueuePreview } from "#lib/contracts/prepare.ts";
import { findVersion } from "#lib/contracts/versions.ts";
import { changeUnaudited, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { Preview } from "./schema.ts";

/** Returns the state of the image. The first request after the version has a PDF enqueues the drawing. */
export async function previewOf(
  ctx: Context,
  input: { contractId: string; versionId: string },
): Promise<Preview> {
  const { id: versionId, pdfState } = await findVersion(ctx, input);
  const found = await reader().versionPreview.findFirst({ where: { ...own(ctx), versionId } });
  if (found) return found as Preview;
  if (pdfState === "READY")
    await changeUnaudited(ctx, (tx) => enqueuePreview(tx, { ...own(ctx), id: versionId }));
  return { state: pdfState === "FAILED" ? "FAILED" : "PENDING", width: null, height: null };
}

/** Returns the image's file. */
export async function previewFile(ctx: Context, versionId: string) {
  const found = await reader().versionPreview.findFirst({ where: { ...own(ctx), versionId } });
  if (!found?.sha256) throw notFound("preview");
  const file = { sha256: found.sha256, fileName: "first-page.webp", contentType: "image/webp" };
  return { ...file, organizationId: ctx.organizationId, disposition: "inline" as const };
}
