/**
 * Finds the tags of a PDF that ask for fields: `{{signature:1}}`, `{{text:2 Purchase order}}`. Runs in the sandboxed
 * child. Positions are in percent of the page as displayed, from its top left.
 */
import { type Box, forEachPage, type PlacedText, percent } from "./text-runs.ts";

export interface Anchor {
  /** As written in the document. */
  tag: string;
  kind: string;
  /** Counted from 1, as in the document. */
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

/** The minimum size of a field, in points; the tag itself is always covered. */
const leastSize: Record<string, [width: number, height: number]> = {
  signature: [160, 40],
  initials: [60, 30],
  checkbox: [14, 14],
};
const leastText: [number, number] = [120, 16];

const maxTags = 500;

export async function findTextTags({ path }: { path: string }): Promise<Anchor[]> {
  const anchors: Anchor[] = [];
  await forEachPage(path, (page, pageIndex) => {
    anchors.push(...anchorsOn(page, pageIndex));
    return anchors.length < maxTags;
  });
  return anchors.slice(0, maxTags);
}

function anchorsOn(page: PlacedText, pageIndex: number): Anchor[] {
  return [...page.text.matchAll(pattern)].flatMap((found) => {
    const [tag, kind = "", signer = "", label = ""] = found;
    const box = page.boxOf(found.index, found.index + tag.length);
    if (!box) return [];
    return [
      {
        tag,
        kind: kind.toLowerCase(),
        signer: Number(signer),
        label: label.trim() || null,
        pageIndex,
        ...inPercent(box, kind.toLowerCase(), page),
      },
    ];
  });
}

/** The field's box: it covers the tag, is on its line, and stays on the page. */
function inPercent(tag: Box, kind: string, page: { width: number; height: number }) {
  const [leastWidth, leastHeight] = leastSize[kind] ?? leastText;
  const width = Math.min(Math.max(tag.right - tag.left, leastWidth), page.width);
  const height = Math.min(Math.max(tag.bottom - tag.top, leastHeight), page.height);
  const left = Math.min(Math.max(tag.left, 0), page.width - width);
  const top = Math.min(Math.max(tag.bottom - height, 0), page.height - height);
  return {
    xPct: percent(left, page.width),
    yPct: percent(top, page.height),
    wPct: percent(width, page.width),
    hPct: percent(height, page.height),
  };
}
