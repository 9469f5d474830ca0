/** Text in a box: as large as requested, smaller and on more lines if needed. */
import type { PDFPage } from "#lib/documents/pdf/pdf-lib.ts";
import { type Line, layoutLine, metrics, type Style, type Typesetter } from "./fonts.ts";
import { wrapText } from "./line-breaks.ts";
import * as layout from "./mark-layout.ts";
import type { Box } from "./page-box.ts";

export interface TextOptions {
  /** The largest size, in the box's units. */
  size: number;
  style?: Style;
  /** Never more than one. */
  lines?: 1;
}

/** A typed signature is as large as its box allows. */
export const signatureTextOptions = ({ height }: Pick<Box, "height">): TextOptions => ({
  size: height * layout.signatureShare,
  style: "hand",
  lines: 1,
});

/** The box of a field's text, inside its padding. */
export function padded(box: Box, unit: number): Box {
  const { padding } = layout.text;
  return {
    ...box,
    x: box.x + padding * unit,
    width: Math.max(0.1, box.width - 2 * padding * unit),
  };
}

export interface PlacedLine {
  line: Line;
  /** Its start, on its baseline. */
  x: number;
  y: number;
  size: number;
}

/** Operators that show a text within a box: from the left, centered vertically. */
export function textIn(type: Typesetter, page: PDFPage, text: string, box: Box, wishes: TextOptions): string {
  return linesIn(text, box, wishes)
    .map(({ line, ...at }) => type.show(page, line, at))
    .join("\n");
}

/** Positions of a text's lines within a box. */
export function linesIn(text: string, box: Box, wishes: TextOptions): PlacedLine[] {
  const { lines, size } = fitText(text, box, wishes);
  const lineHeight = size * metrics.lineHeight;
  const height = (lines.length - 1) * lineHeight + (metrics.ascent + metrics.descent) * size;
  const top = box.y + box.height - Math.max(0, (box.height - height) / 2);
  return lines.map((line, at) => ({
    line,
    x: box.x,
    y: top - metrics.ascent * size - at * lineHeight,
    size,
  }));
}

/** The largest size at which a text fits, on one line rather than several unless that makes it tiny. */
export function fitText(
  text: string,
  box: Box,
  { size: largest, style = "regular", lines: most }: TextOptions,
) {
  const upright = metrics.ascent + metrics.descent;
  const whole = layoutLine(text, style);
  const single = Math.min(largest, box.height / upright, box.width / Math.max(whole.width, 0.001));
  const isBest = single >= 0.7 * largest || box.height < 2.2 * single * upright;
  if (most === 1 || (isBest && !/[\r\n]/.test(text))) {
    return { lines: [whole], size: single };
  }
  const first = Math.min(largest, box.height / upright);
  const sizeAt = (step: number) => first * shrink ** step;
  const linesAt = (step: number) => wrapText(text, box.width / sizeAt(step), style);
  const fits = (step: number) => {
    const lines = linesAt(step);
    const height = ((lines.length - 1) * metrics.lineHeight + upright) * sizeAt(step);
    const widest = Math.max(...lines.map(({ width }) => width)) * sizeAt(step);
    return height <= box.height + 0.01 && widest <= box.width + 0.01;
  };
  // If a size fits, every smaller size does too.
  let [low, high] = [0, Math.max(0, Math.ceil(Math.log(smallest / first) / Math.log(shrink)))];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return { lines: linesAt(high), size: sizeAt(high) };
}

/** From one size to the next smaller one. */
const shrink = 0.93;

/** In the box's units: too small to read, but still drawn. */
const smallest = 0.5;
