/** pdf.js as the viewer runs it: its worker and all that it loads come from our own origin. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useSyncExternalStore } from "react";
import { pdfjs } from "react-pdf";
import { whenReachable } from "#components/ui/connection.ts";
import { reloadIfKept } from "#components/ui/unsaved.ts";
import { type PageSize, usual } from "./layout.ts";

export { Document, Page } from "react-pdf";

const workerUrl = new URL("pdfjs-dist/build/pdf.worker.min.mjs", import.meta.url).toString();
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

const mostTries = 3;

/**
 * The worker is started here and handed over: where pdf.js starts it and its script does not come, pdf.js gives up on
 * workers for as long as the page is open. One whose script did not come is followed by another, once the server answers.
 */
function begin(tries = 1) {
  const port = new Worker(workerUrl, { type: "module" });
  port.addEventListener("error", async (event) => {
    // Of its work it tells by messages, and of what it could not help with an event that says what it was.
    if (event instanceof ErrorEvent) return;
    await whenReachable();
    if (tries === mostTries) return reloadIfKept();
    options = begin(tries + 1);
    for (const listener of listeners) listener();
  });
  return {
    worker: pdfjs.PDFWorker.create({ port }),
    cMapUrl: "/api/pdfjs/cmaps/",
    standardFontDataUrl: "/api/pdfjs/standard_fonts/",
    wasmUrl: "/api/pdfjs/wasm/",
    iccUrl: "/api/pdfjs/iccs/",
  };
}

const listeners = new Set<() => void>();

/** The worker starts at once, while the document's address is still being asked for. */
let options = begin();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** One object for all documents: with another one they are loaded again. */
export const useDocumentOptions = () => useSyncExternalStore(subscribe, () => options);

/** The size of a document's first page, which stands for all until each is drawn; null where the reader has left. */
export async function firstSize(pdf: PDFDocumentProxy): Promise<PageSize | null> {
  try {
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    return { width, height };
  } catch {
    return pdf.loadingTask.destroyed ? null : usual;
  }
}
