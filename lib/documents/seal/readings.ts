/**
 * Whether two files are the same document to pdf.js, which shows documents to people. pdf.js writes each to a new
 * file: the pages and everything they draw, with all pictures and fonts byte for byte, undecoded. If the new files
 * are equal, the documents are, except for layers, which those files lack. If they differ (programs disagree about
 * the line break before the end of a stream) or cannot be written, the drawn pages must be equal.
 */
import { createHash } from "node:crypto";
import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";
import { withPdf } from "#lib/documents/text/text.ts";
import { fingerprintPage, layersOf, loadOptions } from "./drawing.ts";

interface Readings {
  one: PDFDocumentProxy;
  other: PDFDocumentProxy;
  hasLayers: boolean;
}

/** Larger files are written a few pages at a time: writing holds several copies in memory. */
const partBytes = 8 * 1024 * 1024;

export function areSameDocument(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const compared = (shown: PDFDocumentProxy) =>
    withPdf(other, (read) => compare(shown, read, one.length), loadOptions);
  return withPdf(one, compared, loadOptions);
}

async function compare(one: PDFDocumentProxy, other: PDFDocumentProxy, size: number): Promise<boolean> {
  const { numPages } = one;
  const layers = await layersOf(one);
  if (numPages !== other.numPages || layers !== (await layersOf(other))) return false;
  const readings = { one, other, hasLayers: layers !== "" };
  const step = Math.ceil((numPages * partBytes) / Math.max(size, partBytes));
  for (let from = 0; from < numPages; from += step) {
    const to = Math.min(from + step, numPages) - 1;
    if (!readings.hasLayers && (await areWrittenAlike(readings, from, to))) continue;
    for (let page = from; page <= to; page++) if (!(await isAlike(readings, page))) return false;
  }
  return true;
}

async function isAlike(readings: Readings, page: number): Promise<boolean> {
  const isWrittenAlike = await areWrittenAlike(readings, page, page);
  if (isWrittenAlike && !readings.hasLayers) return true;
  const shown = await fingerprintPage(readings.one, page);
  const read = await fingerprintPage(readings.other, page);
  return shown.sha256 === read.sha256 && (isWrittenAlike || (shown.isComplete && read.isComplete));
}

async function areWrittenAlike({ one, other }: Readings, from: number, to: number): Promise<boolean> {
  const written = await hashOfPages(one, from, to);
  return written !== null && written === (await hashOfPages(other, from, to));
}

/**
 * Leaves out the file's second object, which holds title and time, and the table of object positions. Null if the
 * pages cannot be written.
 */
async function hashOfPages(document: PDFDocumentProxy, from: number, to: number): Promise<string | null> {
  const bytes: Uint8Array | null = await document.extractPages([
    { document: null, includePages: [[from, to]] },
  ]);
  if (!bytes) return null;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = /startxref\n(\d+)\n%%EOF\s*$/.exec(file.toString("latin1", file.length - 100));
  const start = file.indexOf("\n2 0 obj\n");
  const end = file.indexOf("\n3 0 obj\n", start);
  if (!table || start < 0 || end < 0) return null;
  const hash = createHash("sha256").update(file.subarray(0, start));
  return hash.update(file.subarray(end, Number(table[1]))).digest("hex");
}
