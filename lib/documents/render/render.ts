/** DOCX bytes to PDF bytes: by the packaged LibreOffice, or by a Gotenberg server if one is set. */

import { settings } from "#lib/core/env.ts";
import type { Turn } from "#lib/core/lanes.ts";
import { sendForOperator } from "#lib/egress/egress.ts";
import { office } from "./office.ts";
import { RenderFailed } from "./render-failed.ts";

export { RenderFailed };

/** Longer than LibreOffice's own limit: Gotenberg queues requests. */
const timeoutMs = 180_000;
const maxPdfBytes = 200 * 1024 * 1024;

/** Throws RenderFailed, whose message says why. */
export async function renderPdf(docx: Uint8Array, turn: Turn): Promise<Uint8Array> {
  const { GOTENBERG_URL } = settings();
  const pdf = GOTENBERG_URL
    ? await renderByGotenberg(docx, GOTENBERG_URL)
    : await office().render(docx, turn);
  if (pdf.length > maxPdfBytes) throw new RenderFailed("Its PDF has more than 200 MB.");
  return pdf;
}

/** Called before a document is rendered, to start what takes seconds to start. */
export function prepareToRender(): void {
  if (!settings().GOTENBERG_URL) void office().warmUp();
}

/** https://gotenberg.dev/docs/routes#office-documents-into-pdfs-route */
export async function renderByGotenberg(docx: Uint8Array, server: string): Promise<Uint8Array> {
  const form = new FormData();
  form.set("files", new Blob([new Uint8Array(docx)]), "document.docx");
  const encoded = new Response(form);
  const response = await sendForOperator({
    url: `${server.replace(/\/+$/, "")}/forms/libreoffice/convert`,
    method: "POST",
    headers: { "content-type": encoded.headers.get("content-type")! },
    body: new Uint8Array(await encoded.arrayBuffer()),
    timeoutMs,
    maxResponseBytes: maxPdfBytes + 1,
  }).catch((error: Error) => {
    throw new RenderFailed(`The Gotenberg server cannot be reached: ${error.message}.`);
  });
  const { status, bytes, body } = response;
  if (status !== 200) {
    throw new RenderFailed(`The Gotenberg server answered ${status}: ${body.slice(0, 200).trim()}`);
  }
  if (bytes.subarray(0, 5).toString("latin1") !== "%PDF-") {
    throw new RenderFailed("The Gotenberg server answered with something that is not a PDF.");
  }
  return bytes;
}
