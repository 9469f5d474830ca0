/** Placed fields: boxes in percent of their page, from its top left corner. */
import { inWords } from "#components/words.ts";
import type { InputOf } from "#lib/doors/client.ts";
import type { FieldType } from "#lib/signatures/lifecycle.ts";
import type { Envelope } from "../request-actions.ts";

export interface Box {
  xPct: number;
  yPct: number;
  wPct: number;
  hPct: number;
}

export interface PlacedField extends Box {
  key: string;
  signerId: string;
  type: FieldType;
  pageIndex: number;
  required: boolean;
  label: string | null;
  options: string[];
  coversText: boolean;
}

export const boxOf = ({ xPct, yPct, wPct, hPct }: Box): Box => ({ xPct, yPct, wPct, hPct });

/** A displayed page: its size in pixels, and its scale in pixels per point. */
export interface Sheet {
  index: number;
  width: number;
  height: number;
  scale: number;
}

let last = 0;
export const newKey = (): string => {
  last += 1;
  return `f${last}`;
};

export const placedFrom = ({ fields }: Pick<Envelope, "fields">): PlacedField[] =>
  fields.map(
    ({ signerId, type, pageIndex, xPct, yPct, wPct, hPct, required, label, options, coversText }) => ({
      ...{ key: newKey(), signerId, type, pageIndex, xPct, yPct, wPct, hPct },
      ...{ required, label, options, coversText },
    }),
  );

type Sent = NonNullable<InputOf<"signatures.updateDraft">["fields"]>;

export const fieldsFrom = (placed: readonly PlacedField[]): Sent =>
  placed.map(({ key: _, ...field }) => field);

const names: Partial<Record<FieldType, string>> = {
  DATE_SIGNED: "Date signed",
  EMAIL: "E-mail",
};

export const typeName = (type: FieldType): string => names[type] ?? inWords(type);

/** The width and height of new fields in points. A signature needs room; a checkbox does not. */
const sizes: Partial<Record<FieldType, [number, number]>> = {
  SIGNATURE: [170, 42],
  INITIALS: [64, 32],
  CHECKBOX: [15, 15],
  DATE_SIGNED: [100, 20],
  DATE: [100, 20],
  NUMBER: [100, 20],
};

const usualSize: [number, number] = [150, 20];

/** Returns a new field's size on a page. */
export function sizeOn(type: FieldType, { width, height, scale }: Sheet): { wPct: number; hPct: number } {
  const [wide, high] = sizes[type] ?? usualSize;
  return {
    wPct: Math.min(100, (wide * scale * 100) / width),
    hPct: Math.min(100, (high * scale * 100) / height),
  };
}

const smallestPct = 0.5;
const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Returns the box, moved and shrunk to lie on its page. */
export function clampToPage({ xPct, yPct, wPct, hPct }: Box): Box {
  const wide = Math.min(100, Math.max(smallestPct, wPct));
  const high = Math.min(100, Math.max(smallestPct, hPct));
  const w = rounded(wide);
  const h = rounded(high);
  return {
    xPct: rounded(Math.min(Math.max(0, xPct), 100 - w)),
    yPct: rounded(Math.min(Math.max(0, yPct), 100 - h)),
    wPct: w,
    hPct: h,
  };
}

export type Corner = "nw" | "ne" | "sw" | "se";

/** Returns the box with one of its corners dragged, in percent; the opposite corner stays. */
export function resized(box: Box, corner: Corner, dx: number, dy: number): Box {
  const right = box.xPct + box.wPct;
  const bottom = box.yPct + box.hPct;
  const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
  const left = corner.endsWith("w") ? within(box.xPct + dx, 0, right - smallestPct) : box.xPct;
  const top = corner.startsWith("n") ? within(box.yPct + dy, 0, bottom - smallestPct) : box.yPct;
  const toRight = corner.endsWith("e") ? within(right + dx, box.xPct + smallestPct, 100) : right;
  const toBottom = corner.startsWith("s") ? within(bottom + dy, box.yPct + smallestPct, 100) : bottom;
  return clampToPage({ xPct: left, yPct: top, wPct: toRight - left, hPct: toBottom - top });
}

/** Lines that a box is aligned with, in percent of the page. */
export interface Guides {
  x: number[];
  y: number[];
}

const snapPixels = 5;

/**
 * Snaps a moved box to the edges and centers of others on the page, and horizontally to the page's center.
 */
export function snapped(box: Box, others: readonly Box[], sheet: Sheet): { box: Box; guides: Guides } {
  const x = snapOne(box.xPct, box.wPct, [50, ...others.flatMap((o) => edges(o.xPct, o.wPct))], sheet.width);
  const y = snapOne(
    box.yPct,
    box.hPct,
    others.flatMap((o) => edges(o.yPct, o.hPct)),
    sheet.height,
  );
  return {
    box: clampToPage({ ...box, xPct: box.xPct + x.shift, yPct: box.yPct + y.shift }),
    guides: { x: x.lines, y: y.lines },
  };
}

const edges = (start: number, size: number) => [start, start + size / 2, start + size];

function snapOne(start: number, size: number, lines: number[], pixels: number) {
  const reach = (snapPixels * 100) / pixels;
  let best: { shift: number; line: number } | null = null;
  for (const own of edges(start, size)) {
    for (const line of lines) {
      const shift = line - own;
      if (Math.abs(shift) <= reach && (best === null || Math.abs(shift) < Math.abs(best.shift)))
        best = { shift, line };
    }
  }
  return best === null ? { shift: 0, lines: [] } : { shift: best.shift, lines: [best.line] };
}
