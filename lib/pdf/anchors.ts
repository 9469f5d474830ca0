/**
 * Finds the tags of a PDF that ask for fields: `{{signature:1}}`, `{{text:2 Purchase order}}`. Runs in the limited
 * child. Positions are percentages of the page as displayed, from its top left.
 */
import { readFile } from "node:fs/promises";
import type { PDFPageProxy } from "pdfjs-dist/types/src/display/api.d.ts";

export interface Anchor {
  /** As the document writes it. */
  tag: string;
  kind: string;
  /** Counted from 1, as the document does. */
  signer: number;
  label: string | null;
  pageIndex: number;
  xPct: number;
  yPct: number;
  wPct: number;
  hPct: number;
}

const pattern =
  /\{\{\s*(signature|initials|name|email|title|company|date|text|checkbox)\s*:\s*(\d{1,3})\s*([^{}]{0,100})\}\}/gi;

/** The least that a field takes, in points; the tag itself is always covered. */
const leastSize: Record<string, [width: number, height: number]> = {
  signature: [160, 40],
  initials: [60, 30],
  checkbox: [14, 14],
};
const leastText: [number, number] = [120, 16];

const most = 500;

export async function findAnchors({ path }: { path: string }): Promise<Anchor[]> {
  const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const data = new Uint8Array(await readFile(path));
  const loading = getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 });
  const document = await loading.promise;
  const anchors: Anchor[] = [];
  for (let pageIndex = 0; pageIndex < document.numPages && anchors.length < most; pageIndex++) {
    const page = await document.getPage(pageIndex + 1);
    anchors.push(...(await anchorsOn(page, pageIndex)));
    page.cleanup();
  }
  await loading.destroy();
  return anchors.slice(0, most);
}

interface Run {
  text: string;
  /** Where the run begins, and its direction, in the page's own units. */
  transform: number[];
  width: number;
  /** Where its first character is in the page's text. */
  at: number;
}

async function anchorsOn(page: PDFPageProxy, pageIndex: number): Promise<Anchor[]> {
  const { items } = await page.getTextContent();
  const runs: Run[] = [];
  let text = "";
  for (const item of items) {
    if (!("str" in item)) continue;
    runs.push({ text: item.str, transform: item.transform, width: item.width, at: text.length });
    text += item.str;
    if (item.hasEOL) text += " ";
  }
  const viewport = page.getViewport({ scale: 1 });
  return [...text.matchAll(pattern)].flatMap((found) => {
    const [tag, kind = "", signer = "", label = ""] = found;
    const box = boxOf(runs, found.index, found.index + tag.length, viewport.transform);
    if (!box) return [];
    const place = inPercent(box, kind.toLowerCase(), viewport);
    return [
      {
        tag,
        kind: kind.toLowerCase(),
        signer: Number(signer),
        label: label.trim() || null,
        pageIndex,
        ...place,
      },
    ];
  });
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What the characters from `start` to `end` cover of the page as displayed, in points. */
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
        // From a little below the line to the height of the letters.
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

/** The field's box: it covers the tag, stands on its line, and stays on the page. */
function inPercent(tag: Box, kind: string, page: { width: number; height: number }) {
  const [leastWidth, leastHeight] = leastSize[kind] ?? leastText;
  const width = Math.min(Math.max(tag.right - tag.left, leastWidth), page.width);
  const height = Math.min(Math.max(tag.bottom - tag.top, leastHeight), page.height);
  const left = Math.min(Math.max(tag.left, 0), page.width - width);
  const top = Math.min(Math.max(tag.bottom - height, 0), page.height - height);
  const percent = (part: number, whole: number) => Math.round((part / whole) * 1e6) / 1e4;
  return {
    xPct: percent(left, page.width),
    yPct: percent(top, page.height),
    wPct: percent(width, page.width),
    hPct: percent(height, page.height),
  };
}
