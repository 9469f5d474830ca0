/** How a mark is placed in its field, both for stamping and for showing it on a page beforehand. Isomorphic. */

interface Size {
  width: number;
  height: number;
}

/** A signature fills its box except for some space above and below. */
export const signatureShare = 0.82;

/** In points. */
export const text = { size: 11, padding: 1 } as const;

const captionStrip = 7;

/** The height of the caption strip below a signature: 0 in a box too small for one. `unit`: of a point. */
export function captionHeight({ width, height }: Size, unit: number): number {
  const strip = captionStrip * unit;
  return height < 3 * strip || width < 60 * unit ? 0 : strip;
}

/**
 * A square in the middle of its box; the widths of its lines are `line` (in points) and `tickLine` (fraction of the
 * side).
 */
export const checkbox = {
  line: 0.7,
  tickLine: 0.11,
  side: ({ width, height }: Size, unit: number) => Math.max(0, Math.min(width, height) - unit),
  /** Corners of the tick as fractions of the side, from the bottom left. */
  tick: [
    [0.2, 0.52],
    [0.42, 0.26],
    [0.82, 0.78],
  ],
} as const;

/** The color of typed signatures: red, green and blue, from 0 to 1. */
export const ink = [0.05, 0.1, 0.35] as const;
