/** One face of one document: collects the glyphs that are used, and embeds only those. */
import type { Glyph, Subset } from "@cantoo/fontkit";
import { Cache, CustomFontEmbedder, type PDFContext, type PDFRef } from "#lib/documents/pdf/pdf-lib.ts";
import type { Face } from "./faces.ts";

/**
 * pdf-lib's own subset takes text and loses the positions of glyphs that shaping computed; this one takes glyphs that
 * are already placed.
 */
export class GlyphSubset extends CustomFontEmbedder {
  readonly ref: PDFRef;
  readonly #font: Face["font"];
  readonly #subset: Subset;
  readonly #used: Glyph[] = [];
  readonly #ids = new Map<number, number>();

  constructor(context: PDFContext, { font, data }: Face) {
    super(font, data);
    this.ref = context.nextRef();
    this.#font = font;
    this.#subset = font.createSubset();
    this.glyphCache = Cache.populatedBy(() => this.#used);
  }

  /** How a content stream refers to a glyph. */
  encode(glyph: Glyph): string {
    let id = this.#ids.get(glyph.id);
    if (id === undefined) {
      id = this.#subset.includeGlyph(glyph.id);
      this.#ids.set(glyph.id, id);
      this.#used[id - 1] = this.#readable(glyph);
    }
    return id.toString(16).padStart(4, "0");
  }

  /**
   * A font caches its glyphs. A glyph it first met as part of another (the dot below of an ị) does not know which
   * character it represents, and would be lost to anyone who searches the document or has it read aloud.
   */
  #readable(glyph: Glyph): Glyph {
    if (glyph.codePoints.length > 0) return glyph;
    const [text = ""] = this.#font.stringsForGlyph(glyph.id);
    const codePoints = [...text].map((letter) => letter.codePointAt(0)!);
    return Object.create(glyph, { codePoints: { value: codePoints } });
  }

  protected override isCFF(): boolean {
    return Boolean((this.#subset as { cff?: unknown }).cff);
  }

  protected override glyphId(glyph?: { id: number }): number {
    return glyph ? this.#ids.get(glyph.id)! : -1;
  }

  protected override async serializeFont(): Promise<Uint8Array> {
    return this.#subset.encode();
  }
}
