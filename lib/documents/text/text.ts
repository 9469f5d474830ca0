/** Extracts a PDF's text, page by page; runs only in the child process. */
import { readFile } from "node:fs/promises";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { DocumentInitParameters, PDFDocumentProxy, TextItem } from "pdfjs-dist/types/src/display/api.js";
import { projectPath } from "#lib/core/root.ts";

/** No page of a contract has more. */
const maxPageLength = 100_000;
/** No contract has more: the rest is not searched. */
const maxTextLength = 8_000_000;

const data = (folder: string) => `${projectPath("node_modules", "pdfjs-dist", folder)}/`;

export async function readText({ path }: { path: string }): Promise<{ pages: string[] }> {
  return { pages: await textOfPages(await readFile(path)) };
}

/** The same for bytes that are not in a file. */
export async function readTextOfBytes({ bytes }: { bytes: Uint8Array }): Promise<{ pages: string[] }> {
  return { pages: await textOfPages(bytes) };
}

/** One text per page: one line per line, and an empty line at the end of a paragraph. */
export function textOfPages(bytes: Uint8Array): Promise<string[]> {
  return withPdf(bytes, async (document) => {
    const pages: string[] = [];
    let left = maxTextLength;
    for (let number = 1; number <= document.numPages; number++) {
      if (left <= 0) {
        pages.push("");
        continue;
      }
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const words = textOf(items.filter((item) => "str" in item));
      pages.push(words);
      left -= words.length;
      page.cleanup();
    }
    return pages;
  });
}

export const countPages = (bytes: Uint8Array) => withPdf(bytes, async ({ numPages }) => numPages);

export async function withPdf<T>(
  bytes: Uint8Array,
  work: (document: PDFDocumentProxy) => Promise<T>,
  more: DocumentInitParameters = {},
): Promise<T> {
  const loading = getDocument({
    ...more,
    data: new Uint8Array(bytes),
    cMapUrl: data("cmaps"),
    standardFontDataUrl: data("standard_fonts"),
    wasmUrl: data("wasm"),
    iccUrl: data("iccs"),
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
  });
  try {
    return await work(await loading.promise);
  } finally {
    await loading.destroy();
  }
}

/** A gap of more than this many times the font size separates paragraphs. */
const paragraphGap = 1.75;

function textOf(items: TextItem[]): string {
  let text = "";
  let lineStarts = true;
  let last: { y: number; size: number } | null = null;
  for (const { str, transform, hasEOL } of items) {
    if (str.trim() !== "") {
      const [a = 0, b = 0, , , , y = 0] = transform as number[];
      const size = Math.hypot(a, b);
      const gap = last ? Math.abs(last.y - y) : 0;
      if (lineStarts && last && gap > paragraphGap * Math.max(size, last.size)) text += "\n";
      last = { y, size };
      lineStarts = false;
    }
    text += str;
    if (!hasEOL) continue;
    text += "\n";
    lineStarts = true;
  }
  return clean(text);
}

/** Removes what PostgreSQL cannot store, expands ligatures, and collapses spaces. */
function clean(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize("NFKC"))
    .replaceAll("\u0000", "")
    .toWellFormed()
    .replace(/[^\S\n]+/g, " ")
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
    .slice(0, maxPageLength)
    .toWellFormed();
}
