/** Previews a template as far as it is filled: a PDF behind a link that works for a few minutes. */

import { pdfType } from "#lib/contracts/schema.ts";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { limiter, refuseOverLimit } from "#lib/core/limits/limiter.ts";
import { prepareToRender, RenderFailed, renderPdf } from "#lib/documents/render/render.ts";
import { signedUrl } from "#lib/storage/signed.ts";
import { store } from "#lib/storage/store.ts";
import { draftDocument } from "./generate.ts";
import type { Filling } from "./schema.ts";

/** Per hour: a preview is a file that stays for a day, and this is enough for anyone writing a template. */
const maxPreviews = 240;

/** No row references the PDF, so the sweep removes it long after its link has expired. */
export async function previewTemplate(ctx: Context, filling: Filling) {
  await refuseOverLimit(
    limiter("previews", maxPreviews, 3600),
    `${ctx.actor.id}`,
    () => `More than ${maxPreviews} previews in an hour. Try again later.`,
  );
  const pdf = await renderPdf(await draftDocument(ctx, filling), turnOf(ctx)).catch((error) => {
    if (!(error instanceof RenderFailed)) throw error;
    throw invalid({ path: "templateId", message: `names a document that cannot be shown: ${error.message}` });
  });
  const { sha256 } = await store(ctx.organizationId, pdf);
  return signedUrl(ctx, { sha256, fileName: "preview.pdf", contentType: pdfType, disposition: "inline" });
}

/** Called when a page with a template preview is opened. Returns immediately. */
export async function preparePreview(): Promise<{ isPreparing: true }> {
  prepareToRender();
  return { isPreparing: true };
}
