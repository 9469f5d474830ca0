/**
 * Finds the blanks that a document leaves to be filled in by hand, `Name: ________`, and their positions. Runs in the
 * sandboxed child.
 */
import { forEachPage, percent } from "./text-runs.ts";

/** Lines of underscores or dots, and bracketed words that ask for something. */
export const blankPattern = /_{4,}|\.{8,}|\[\s*[●•_]+\s*\]|\[(?:insert|tbd|date|name|amount)[^\]]{0,60}\]/gi;

/** In percent of the page as displayed, from its top left. */
export interface Blank {
  text: string;
  pageIndex: number;
  xPct: number;
  yPct: number;
  wPct: number;
  hPct: number;
}

/** Nobody looks through more than these one by one. */
const maxBlanks = 500;

export async function findBlanksIn({ path }: { path: string }): Promise<Blank[]> {
  const blanks: Blank[] = [];
  await forEachPage(path, ({ text, width, height, boxOf }, pageIndex) => {
    for (const found of text.matchAll(blankPattern)) {
      const box = boxOf(found.index, found.index + found[0].length);
      if (!box) continue;
      blanks.push({
        text: found[0],
        pageIndex,
        xPct: percent(box.left, width),
        yPct: percent(box.top, height),
        wPct: percent(box.right - box.left, width),
        hPct: percent(box.bottom - box.top, height),
      });
    }
    return blanks.length < maxBlanks;
  });
  return blanks.slice(0, maxBlanks);
}
