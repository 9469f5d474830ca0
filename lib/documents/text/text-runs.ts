/** The positions of words on a PDF page, as displayed. Runs in the sandboxed child. */
import { readFile } from "node:fs/promises";
import type { PDFPageProxy } from "pdfjs-dist/types/src/display/api.d.ts";

interface Run {
  text: string;
  /** Where the run begins, and its direction, in the page's own units. */
  transform: number[];
  width: number;
  /** The position of its first character in the page's text. */
  at: number;
}

/** In points, from the top left of the page as displayed. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A page's text, and the area that any part of it covers. */
export interface PlacedText {
  text: string;
  width: number;
  height: number;
  /** The area that the characters from `start` to `end` cover; null if none. */
  boxOf(start: number, end: number): Box | null;
}

/** Visits page after page, until `look` returns false. */
export async function forEachPage(
  path: string,
  look: (page: PlacedText, pageIndex: number) => boolean,
): Promise<void> {
  const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const data = new Uint8Array(await readFile(path));
  const loading = getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 });
  const document = await loading.promise;
  let goesOn = true;
  for (let pageIndex = 0; pageIndex < document.numPages && goesOn; pageIndex++) {
    const page = await document.getPage(pageIndex + 1);
    goesOn = look(await placedText(page), pageIndex);
    page.cleanup();
  }
  await loading.destroy();
}

async function placedText(page: PDFPageProxy): Promise<PlacedText> {
  const { items } = await page.getTextContent();
  const runs: Run[] = [];
  let text = "";
  for (const item of items) {
    if (!("str" in item)) continue;
    runs.push({ text: item.str, transform: item.transform, width: item.width, at: text.length });
    text += item.str;
    if (item.hasEOL) text += " ";
  }
  const { width, height, transform } = page.getViewport({ scale: 1 });
  return { text, width, height, boxOf: (start, end) => boxOf(runs, start, end, transform) };
}

function boxOf(runs: Run[], start: number, end: number, view: number[]): Box | null {
  const corners = runs
    .filter(({ at, text }) => at < end && at + text.length > start)
    .flatMap(({ text, transform, width, at }) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform;
      const along = Math.hypot(a, b) || 1;
      const share = (position: number) =>
        (width * Math.min(Math.max(position - at, 0), text.length)) / text.length;
      return [share(start), share(end)].flatMap((distance) => {
        const [x, y] = [e + (a / along) * distance, f + (b / along) * distance];
        // From slightly below the baseline to the height of the letters.
        return [-0.25, 1].map((up) => seen(view, x + c * up, y + d * up));
      });
    });
  if (corners.length === 0) return null;
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

const seen = (
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: number[],
  x: number,
  y: number,
): [number, number] => [a * x + c * y + e, b * x + d * y + f];

/** A part of a whole in percent, as fields store it. */
export const percent = (part: number, whole: number) => Math.round((part / whole) * 1e6) / 1e4;
