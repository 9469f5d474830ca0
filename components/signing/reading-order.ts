/** A field's position on its page, in percent of the page's size. */
interface Placed {
  pageIndex: number;
  xPct: number;
  yPct: number;
}

/** Fields are in the same line if their tops are within this distance of the first one's. */
const lineHeightPct = 1.5;

/** Sorts fields page by page, line by line from the top, and from left to right within a line. */
export function inReadingOrder<Field extends Placed>(fields: readonly Field[]): Field[] {
  const fromTop = [...fields].sort(
    (one, other) => one.pageIndex - other.pageIndex || one.yPct - other.yPct || one.xPct - other.xPct,
  );
  const lines: Field[][] = [];
  for (const field of fromTop) {
    const first = lines.at(-1)?.[0];
    const isInLine = first?.pageIndex === field.pageIndex && field.yPct - first.yPct <= lineHeightPct;
    if (isInLine) lines.at(-1)?.push(field);
    else lines.push([field]);
  }
  return lines.flatMap((line) => line.sort((one, other) => one.xPct - other.xPct));
}
