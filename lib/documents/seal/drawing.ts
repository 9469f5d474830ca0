/**
 * Everything that pdf.js draws of a page: operators, the pictures, patterns and fonts they use, and the targets of
 * links.
 */
import { createHash, type Hash } from "node:crypto";
import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/types/src/display/api.js";

/** How the document must be opened: fonts then keep their data. */
export const loadOptions = { fontExtraProperties: true };

export interface PageFingerprint {
  sha256: string;
  /** False if a picture cannot be decoded here: a browser may be able to. */
  isComplete: boolean;
}

/** Of one page, counted from 0. Throws if the page cannot be shown. */
export async function fingerprintPage(document: PDFDocumentProxy, index: number): Promise<PageFingerprint> {
  const page = await document.getPage(index + 1);
  const drawing = new Drawing(page);
  await drawing.addAllOfIt();
  page.cleanup();
  return { sha256: drawing.digest(), isComplete: drawing.isComplete };
}

/** Which layers a document shows; empty if it has none. */
export async function layersOf(document: PDFDocumentProxy): Promise<string> {
  const layers = await document.getOptionalContentConfig();
  return Array.from(layers, ([id, { visible }]) => `${id} ${visible};`).join("");
}

const ofFont = [
  ...["data", "mimetype", "fallbackName", "isType3Font", "missingFile", "bold", "black", "italic"],
  ...["vertical", "fontMatrix", "bbox", "ascent", "descent", "defaultWidth", "charProcOperatorList"],
];

class Drawing {
  private readonly hash: Hash = createHash("sha256");
  /** Hashed in larger pieces: one call per number takes ten times as long. */
  private piece = "";
  isComplete = true;
  /** In order of appearance: pdf.js's own names for them differ each time. */
  private readonly named = new Map<string, number>();
  private readonly page: PDFPageProxy;

  constructor(page: PDFPageProxy) {
    this.page = page;
  }

  async addAllOfIt(): Promise<void> {
    const { view, rotate, userUnit } = this.page;
    this.add([view, rotate, userUnit, await this.page.getAnnotations()]);
    const { fnArray, argsArray } = await this.page.getOperatorList();
    for (const [at, operator] of fnArray.entries()) {
      if (operator !== OPS.dependency) continue;
      for (const name of argsArray[at]) await new Promise((resolve) => this.pool(name).get(name, resolve));
    }
    this.add([fnArray, argsArray]);
  }

  private pool(name: string): PDFPageProxy["objs"] {
    return name.startsWith("g_") ? this.page.commonObjs : this.page.objs;
  }

  private add(value: unknown): void {
    if (typeof value === "string") this.addText(value);
    else if (value === null || typeof value !== "object") this.write(`${typeof value} ${value};`);
    else if (ArrayBuffer.isView(value)) this.addBytes(value);
    else if (value instanceof ArrayBuffer) this.addBytes(new Uint8Array(value));
    else if (Array.isArray(value)) this.addAll("[", value);
    else if (value instanceof Map) this.addAll("map", [...value].flat(1));
    else if ("loadedName" in value) this.addFields(value, ofFont);
    else this.addFields(value, Object.keys(value));
  }

  digest(): string {
    return this.flush().digest("hex");
  }

  private write(text: string): void {
    this.piece += text;
    if (this.piece.length > 100_000) this.flush();
  }

  private flush(): Hash {
    const { hash, piece } = this;
    this.piece = "";
    return hash.update(piece, "utf16le");
  }

  private addAll(kind: string, values: unknown[]): void {
    this.write(`${kind} ${values.length};`);
    for (const value of values) this.add(value);
  }

  private addFields(object: object, keys: string[]): void {
    this.write(`{ ${keys.length};`);
    for (const key of keys) {
      this.write(`${key} `);
      this.add(object[key as keyof typeof object]);
    }
  }

  private addBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.write(`bytes ${byteLength};`);
    this.flush().update(new Uint8Array(buffer, byteOffset, byteLength));
  }

  private addText(text: string): void {
    if (!this.pool(text).has(text)) {
      this.write(`text ${text.length} ${text};`);
      return;
    }
    const known = this.named.get(text);
    this.write(`named ${known ?? this.named.size};`);
    if (known !== undefined) return;
    this.named.set(text, this.named.size);
    const object: unknown = this.pool(text).get(text);
    this.isComplete &&= object !== null;
    this.add(object);
  }
}
