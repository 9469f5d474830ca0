/** Text in a box: as large as is wanted, smaller and on more lines where it has to be. */
import type { PDFPage } from "pdf-lib";
import { metrics, type Style, setLine, type Typesetter, wrapText } from "./fonts.ts";
import type { Box } from "./page-box.ts";

interface Wishes {
  /** The largest size, in the box's units. */
  size: number;
  style?: Style;
  /** Never more than one. */
  lines?: 1;
}

/** Operators that show a text within a box: from the left, in the middle of the box's height. */
export function textIn(type: Typesetter, page: PDFPage, text: string, box: Box, wishes: Wishes): string {
  const { lines, size } = fit(text, box, wishes);
  const lineHeight = size * metrics.lineHeight;
  const height = (lines.length - 1) * lineHeight + (metrics.ascent + metrics.descent) * size;
  const top = box.y + box.height - Math.max(0, (box.height - height) / 2);
  return lines
    .map((line, at) => {
      const y = top - metrics.ascent * size - at * lineHeight;
      return type.show(page, line, { x: box.x, y, size });
    })
    .join("\n");
}

/** The largest size at which a text fits, on one line rather than on several unless that makes it tiny. */
export function fit(text: string, box: Box, { size: largest, style = "regular", lines: most }: Wishes) {
  const upright = metrics.ascent + metrics.descent;
  const whole = setLine(text, style);
  const single = Math.min(largest, box.height / upright, box.width / Math.max(whole.width, 0.001));
  const isBest = single >= 0.7 * largest || box.height < 2.2 * single * upright;
  if (most === 1 || (isBest && !/[\r\n]/.test(text))) {
    return { lines: [whole], size: single };
  }
  let size = Math.min(largest, box.height / upright);
  for (;;) {
    const lines = wrapText(text, box.width / size, style);
    const height = (lines.length - 1) * metrics.lineHeight * size + upright * size;
    const widest = Math.max(...lines.map(({ width }) => width * size));
    if ((height <= box.height + 0.01 && widest <= box.width + 0.01) || size < 0.5) return { lines, size };
    size *= 0.93;
  }
}
