/** Configures pdf.js: its worker and everything else that it loads come from our own origin. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useSyncExternalStore } from "react";
import { pdfjs } from "react-pdf";
import { whenReachable } from "#components/ui/connection.ts";
import { reloadIfSaved } from "#components/ui/unsaved.ts";
import { defaultSize, type PageSize } from "./layout.ts";

export { Document, Page } from "react-pdf";

const workerUrl = new URL("pdfjs-dist/build/pdf.worker.min.mjs", import.meta.url).toString();
pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

const maxTries = 3;

/**
 * Starts the worker and passes it to pdf.js. If pdf.js started it and its script failed to load, pdf.js would not use
 * workers again while the page is open. Here a new worker is started once the server is reachable.
 */
function startWorker(tries = 1) {
  const port = new Worker(workerUrl, { type: "module" });
  port.addEventListener("error", async (event) => {
    // An ErrorEvent is an uncaught error in a running worker; a plain Event means that its script failed to load.
    if (event instanceof ErrorEvent) return;
    await whenReachable();
    if (tries === maxTries) return reloadIfSaved();
    options = startWorker(tries + 1);
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

/** The worker starts immediately, while the document's address is still being requested. */
let options = startWorker();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The same object for all documents: a new one would make them load again. */
export const useDocumentOptions = () => useSyncExternalStore(subscribe, () => options);

/**
 * Returns the size of the first page, assumed for all pages until they are drawn; null if the document was
 * closed.
 */
export async function firstSize(pdf: PDFDocumentProxy): Promise<PageSize | null> {
  try {
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    return { width, height };
  } catch {
    return pdf.loadingTask.destroyed ? null : defaultSize;
  }
}
