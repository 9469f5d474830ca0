/**
 * What a text looks like once stamped, as outlines of its letters: laid out by the code that stamps it, in the same
 * fonts, so that a page can show it without having any of them.
 */
import type { Glyph } from "@cantoo/fontkit";
import { formatNumber, layoutLine, metrics, missingIn } from "#lib/documents/typeset/fonts.ts";
import * as layout from "#lib/documents/typeset/mark-layout.ts";
import { linesIn, type PlacedLine, padded, signatureTextOptions } from "#lib/documents/typeset/text-box.ts";

/** Drawn at the left of its box, as large as it fits (SVG's `xMinYMid meet`), and never clipped. */
export interface Outline {
  viewBox: string;
  /** The `d` of a path. */
  path: string;
}

/** A signature, or the text of a field of this size in points. */
export type OutlineInput = { typed: string } | { text: string; width: number; height: number };

export interface OutlineResult extends Outline {
  /** Characters that cannot be drawn, as readers see them. */
  missing: string[];
}

export function outlineOf(wording: OutlineInput): OutlineResult {
  return "typed" in wording ? signature(wording.typed) : fieldText(wording);
}

/** A thousandth of the size is precise enough, and keeps numbers short. */
const grid = 1000;

function signature(typed: string): OutlineResult {
  const { width } = layoutLine(typed, "hand");
  const box = { x: 0, y: 0, width, height: metrics.ascent + metrics.descent };
  const lines = linesIn(typed, box, signatureTextOptions(box));
  return { ...drawn(lines, box, grid), missing: missingIn(typed, "hand") };
}

function fieldText({ text, width, height }: { text: string; width: number; height: number }): OutlineResult {
  const box = { x: 0, y: 0, width, height };
  const lines = linesIn(text, padded(box, 1), { size: layout.text.size });
  return { ...drawn(lines, box, 1), missing: [] };
}

function drawn(lines: PlacedLine[], box: { width: number; height: number }, scale: number): Outline {
  const shapes = lines.flatMap(({ line, x, y, size }) =>
    line.glyphs.map(({ face, glyph, x: dx, y: dy }) =>
      shape(glyph, {
        x: (x + dx * size) * scale,
        y: (box.height - y - dy * size) * scale,
        size: (size * scale) / face.unitsPerEm,
      }),
    ),
  );
  const viewBox = `0 0 ${formatNumber(box.width * scale)} ${formatNumber(box.height * scale)}`;
  return { viewBox, path: shapes.join("") };
}

const letters = {
  moveTo: "M",
  lineTo: "L",
  quadraticCurveTo: "Q",
  bezierCurveTo: "C",
  closePath: "Z",
} as const;

/** Glyphs have their y axis upwards. */
function shape({ path }: Glyph, { x, y, size }: { x: number; y: number; size: number }): string {
  const rounded = (value: number) => String(Math.round(value * 100) / 100);
  return path.commands
    .map(({ command, args }) => {
      const points = args.map((value, at) => rounded(at % 2 === 0 ? x + value * size : y - value * size));
      return `${letters[command as keyof typeof letters]}${points.join(" ")}`;
    })
    .join("");
}
