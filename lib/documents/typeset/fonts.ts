/**
 * Sets lines of text in any script that the packaged fonts cover: a face for each character, letters joined and marks
 * placed as the font requires, right-to-left scripts in order. A character that no font has is spelled out
 * (`[U+1F600]`) rather than dropped or shown as a box.
 */
import type { Glyph } from "@cantoo/fontkit";
import bidiFactory from "bidi-js";
import { resourceName } from "#lib/documents/content/content.ts";
import type { PDFDocument, PDFPage } from "#lib/documents/pdf/pdf-lib.ts";
import { type Face, facesFor, type Style } from "./faces.ts";
import { GlyphSubset } from "./glyph-subset.ts";

export type { Style };

interface Placed {
  face: Face;
  glyph: Glyph;
  /** From the line's start and its baseline, at size 1. */
  x: number;
  y: number;
}

/** A laid-out line at size 1: multiply by the size. */
export interface Line {
  text: string;
  glyphs: Placed[];
  width: number;
}

/** For every face, at size 1: how far letters reach above and below the baseline, and the distance between lines. */
export const metrics = { ascent: 0.95, descent: 0.27, lineHeight: 1.3 } as const;

const bidi = bidiFactory();
/** Letters as readers count them, with their marks. */
export const graphemeSegmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

const lineCache = new Map<string, Line>();
const keptLines = 2000;

/** Sets one line. Line breaks and tabs become spaces. */
export function layoutLine(text: string, style: Style = "regular"): Line {
  const key = `${style} ${text}`;
  const line = lineCache.get(key) ?? shape(normalizeLine(text), style);
  if (lineCache.size >= keptLines) lineCache.clear();
  lineCache.set(key, line);
  return line;
}

/**
 * Letters of these scripts, unless they have combining marks, have one glyph each. Fonts decompose some of them (an ị
 * into an i and its dot): the page would look the same, but nobody could search it for the name. Trying to decompose
 * is also most of the work of setting a syllable of Hangul.
 */
const isComposed =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Han}\uac00-\ud7a3]*$/u;

function shape(clean: string, style: Style): Line {
  const faces = facesFor(clean, style);
  const glyphs: Placed[] = [];
  let x = 0;
  for (const run of visualRuns(clean, faces)) {
    const scale = 1 / run.face.unitsPerEm;
    const direction = run.level % 2 === 1 ? "rtl" : "ltr";
    const features = isComposed.test(run.text) ? { ccmp: false } : undefined;
    const shaped = run.face.font.layout(run.text, features, undefined, undefined, direction);
    shaped.glyphs.forEach((glyph, at) => {
      const place = shaped.positions![at]!;
      glyphs.push({ face: run.face, glyph, x: x + place.xOffset * scale, y: place.yOffset * scale });
      x += place.xAdvance * scale;
    });
  }
  return { text: clean, glyphs, width: x };
}

/** Composed where possible, on one line, and without characters that have no look of their own. */
export function normalizeLine(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\s\u0085\u2028\u2029]+/gu, " ")
    .replace(/[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\p{Variation_Selector}/gu, "");
}

interface Run {
  face: Face;
  text: string;
  level: number;
}

/** Runs of one face and one direction, in visual order from left to right. */
function visualRuns(text: string, faces: Face[]): Run[] {
  const named = nameMissing(text, faces);
  const levels = bidi.getEmbeddingLevels(named).levels;
  const inHand = faces[0]?.isScript ? wordsIn(named, faces[0]) : () => false;
  const runs: Run[] = [];
  for (const { segment, index } of graphemeSegmenter.segment(named)) {
    const level = levels[index] ?? 0;
    const able = faces.find((one) => (one.isScript ? inHand(index) : coversAll(one, segment)));
    const face = able ?? faces.find((one) => !one.isScript)!;
    const drawn = level % 2 === 1 ? (bidi.getMirroredCharacter(segment) ?? segment) : segment;
    const last = runs.at(-1);
    // A space joins the run before it, so that a name is one run.
    if (last && last.level === level && (last.face === face || (segment === " " && last.face.has(32)))) {
      last.text += drawn;
    } else runs.push({ face, text: drawn, level });
  }
  return reorder(runs);
}

/** Whether the text at an index belongs to a word that a face covers entirely. */
function wordsIn(text: string, face: Face): (index: number) => boolean {
  const spans = [...text.matchAll(/\S+\s*/g)].map((match) => ({
    end: match.index + match[0].length,
    covered: coversAll(face, match[0]),
  }));
  return (index) => spans.find(({ end }) => index < end)?.covered ?? false;
}

const coversAll = (face: Face, cluster: string) => [...cluster].every((one) => face.has(one.codePointAt(0)!));

const isIgnorable = /\p{Default_Ignorable_Code_Point}/u;

/** What no packaged font has, as readers see it: an emoji, a letter with its marks. Each once. */
export function missingIn(text: string, style: Style): string[] {
  const clean = normalizeLine(text);
  const faces = facesFor(clean, style);
  const canBeSet = (one: string) => isIgnorable.test(one) || faces.some((face) => coversAll(face, one));
  const letters = Array.from(graphemeSegmenter.segment(clean), ({ segment }) => segment);
  return [...new Set(letters.filter((letter) => ![...letter].every(canBeSet)))];
}

function nameMissing(text: string, faces: Face[]): string {
  return [...text]
    .map((one) => {
      const code = one.codePointAt(0)!;
      if (faces.some((face) => face.has(code))) return one;
      if (isIgnorable.test(one)) return "";
      return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
    })
    .join("");
}

/** Rule L2 of the Unicode bidirectional algorithm, on whole runs. */
function reorder(runs: Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

/** A document's text: returns lines as content stream operators, and embeds the fonts they used at the end. */
export class Typesetter {
  readonly #pdf: PDFDocument;
  readonly #subsets = new Map<Face, GlyphSubset>();

  constructor(pdf: PDFDocument) {
    this.#pdf = pdf;
  }

  /** Operators that show a line with its baseline starting at (x, y), in the current color. */
  show(page: PDFPage, line: Line, { x, y, size }: { x: number; y: number; size: number }): string {
    const out = ["BT"];
    let font = "";
    for (const placed of line.glyphs) {
      const subset = this.#subsetOf(placed.face);
      const name = resourceName(page, "Font", subset.ref);
      if (name !== font) out.push(`/${name} ${formatNumber(size)} Tf`);
      font = name;
      out.push(`1 0 0 1 ${formatNumber(x + placed.x * size)} ${formatNumber(y + placed.y * size)} Tm`);
      out.push(`<${subset.encode(placed.glyph)}> Tj`);
    }
    out.push("ET");
    return out.join("\n");
  }

  /** Call once, before the document is saved. */
  async embed(): Promise<void> {
    for (const subset of this.#subsets.values()) {
      await subset.embedIntoContext(this.#pdf.context, subset.ref);
    }
  }

  #subsetOf(face: Face): GlyphSubset {
    const known = this.#subsets.get(face) ?? new GlyphSubset(this.#pdf.context, face);
    this.#subsets.set(face, known);
    return known;
  }
}

/** A number as PDF writes it: never with an exponent. */
export const formatNumber = (value: number) =>
  Number.isFinite(value) ? Number(value.toFixed(4)).toString() : "0";
