/** pdf.js as the viewer runs it: its worker and all that it loads come from our own origin. */
import { pdfjs } from "react-pdf";

pdfjs.GlobalWorkerOptions.workerSrc = new URL(
  "pdfjs-dist/build/pdf.worker.min.mjs",
  import.meta.url,
).toString();

export { Document, Page } from "react-pdf";

/**
 * One object for all documents: another one would load the document again. The worker starts at once, while the
 * document's address is still being asked for.
 */
export const documentOptions = {
  worker: new pdfjs.PDFWorker(),
  cMapUrl: "/api/pdfjs/cmaps/",
  standardFontDataUrl: "/api/pdfjs/standard_fonts/",
  wasmUrl: "/api/pdfjs/wasm/",
  iccUrl: "/api/pdfjs/iccs/",
};
