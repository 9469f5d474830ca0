/** Breaks text into lines, in any script. */
import { graphemeSegmenter, type Line, layoutLine, normalizeLine, type Style } from "./fonts.ts";

const words = new Intl.Segmenter("und", { granularity: "word" });

/** Breaks a text into lines of at most `width` (at size 1). A longer word breaks where it must. */
export function wrapText(text: string, width: number, style: Style = "regular"): Line[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .flatMap((paragraph) => wrapParagraph(paragraph, width, style));
}

function wrapParagraph(paragraph: string, width: number, style: Style): Line[] {
  const widthOf = (text: string) => layoutLine(text, style).width;
  const lines: string[] = [];
  let [line, used] = ["", 0];
  for (const piece of pieces(normalizeLine(paragraph).trim())) {
    // Piece by piece: letters of two pieces do not join.
    const [whole, visible] = [widthOf(piece), widthOf(piece.trimEnd())];
    if (used + visible <= width) {
      line += piece;
      used += whole;
      continue;
    }
    if (line.trim()) lines.push(line);
    const parts = visible <= width ? [piece] : splitLong(piece, (part) => widthOf(part.trimEnd()) <= width);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1)!;
    used = widthOf(line);
  }
  return [...lines, line].map((one) => layoutLine(one.trim(), style));
}

/** Where a line may end: after spaces, between words that are written without spaces, never before a comma. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let open = false;
  for (const { segment, isWordLike } of words.segment(text)) {
    const joins = found.length > 0 && (!isWordLike || open) && !/\s$/.test(found.at(-1)!);
    if (joins || /^\s+$/.test(segment)) found.push((found.pop() ?? "") + segment);
    else found.push(segment);
    // After "(", "-", "@", "." without a space, the next word stays with it: addresses, numbers, brackets.
    open = !isWordLike && !/\s$/.test(segment);
  }
  return found;
}

/** Measuring a long text is slow, so as few candidates as possible are measured. */
function splitLong(piece: string, fits: (candidate: string) => boolean): string[] {
  const letters = Array.from(graphemeSegmenter.segment(piece), ({ segment }) => segment);
  const parts: string[] = [];
  for (let taken = 0; taken < letters.length; ) {
    const part = (count: number) => letters.slice(taken, taken + count).join("");
    const count = largest(letters.length - taken, (one) => fits(part(one)));
    parts.push(part(count));
    taken += count;
  }
  return parts;
}

/** The largest number from 1 to `most` that fits. 1 always fits, and so does every number below one that fits. */
function largest(most: number, fits: (count: number) => boolean): number {
  let [fitting, next] = [1, 2];
  while (next <= most && fits(next)) {
    fitting = next;
    next *= 2;
  }
  let excess = Math.min(next, most + 1);
  while (excess - fitting > 1) {
    const middle = (fitting + excess) >> 1;
    if (fits(middle)) fitting = middle;
    else excess = middle;
  }
  return fitting;
}
