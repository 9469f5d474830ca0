/** How a mark lies in its field, for the page that is stamped and for the page that shows it before. Isomorphic. */

interface Size {
  width: number;
  height: number;
}

/** A signature fills its box but for a little air above and below. */
export const signatureShare = 0.82;

/** In points. */
export const text = { size: 11, padding: 1 } as const;

const captionStrip = 7;

/** How high the strip for the caption below a signature is: 0 in a box too small for one. `unit`: of a point. */
export function captionHeight({ width, height }: Size, unit: number): number {
  const strip = captionStrip * unit;
  return height < 3 * strip || width < 60 * unit ? 0 : strip;
}

/** A square in the middle of its box; lines are as wide as `line` (in points) and `tickLine` (of the side) say. */
export const checkbox = {
  line: 0.7,
  tickLine: 0.11,
  side: ({ width, height }: Size, unit: number) => Math.max(0, Math.min(width, height) - unit),
  /** Corners of the tick, of the side, from the bottom left. */
  tick: [
    [0.2, 0.52],
    [0.42, 0.26],
    [0.82, 0.78],
  ],
} as const;

/** The colour of typed signatures: red, green and blue, of 1. */
export const ink = [0.05, 0.1, 0.35] as const;
