/**
 * Compares the text that a DOCX shows, according to its XML, with the text of its PDF. Runs only in the child
 * process.
 */
import type { Readable } from "node:stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { LetterCounts, missingShare } from "./letters.ts";
import { mainPartOf, type Relation, relationReader, relationsPartOf } from "./relations.ts";
import { type Element, type Handlers, xmlReader } from "./xml.ts";

/**
 * The share of a DOCX's letters that the pages of its PDF lack: 0 for none, 1 for all. Counts the body, footnotes and
 * endnotes. Headers and footers are left out, because not every page has each; so is text that is hidden, deleted,
 * moved away, a field's code, or repeated for older programs.
 */
export async function missingLetters({ path, pages }: { path: string; pages: string[] }): Promise<number> {
  const pdf = new LetterCounts();
  for (const page of pages) pdf.add(page);
  return missingShare(await docxLetters(path), pdf);
}

async function docxLetters(path: string): Promise<LetterCounts> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
  try {
    const parts = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) parts.set(entry.fileName.toLowerCase(), entry);
    const read = (part: string, handlers: Handlers) => readPart(zip, parts.get(part), handlers);
    const main = mainPartOf(await relationsIn("_rels/.rels", read)) ?? "word/document.xml";
    const relations = await relationsIn(relationsPartOf(main), read);
    const partsOf = (kind: string) =>
      relations.flatMap((one) => (one.kind === kind && one.target !== null ? [one.target] : []));
    const styles = new HiddenStyles();
    for (const part of partsOf("styles")) await read(part, styles);
    const letters = new LetterCounts();
    const words = new Words(styles.hidden, (text) => letters.add(text));
    for (const part of [main, ...partsOf("footnotes"), ...partsOf("endnotes")]) await read(part, words);
    return letters;
  } finally {
    zip.close();
  }
}

type Read = (part: string, handlers: Handlers) => Promise<void>;

async function relationsIn(part: string, read: Read): Promise<Relation[]> {
  const found: Relation[] = [];
  await read(part, relationReader(part, found));
  return found;
}

async function readPart(zip: ZipFile, entry: Entry | undefined, handlers: Handlers): Promise<void> {
  if (!entry) return;
  const reader = xmlReader(entry.fileName, handlers);
  const stream: Readable = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Buffer>) reader.push(chunk);
  reader.finish();
}

/** A property whose presence switches it on, unless its value says off. */
const isOn = ({ attributes }: Element) => !/^(0|false|off)$/.test(attributes.val ?? "");

/** The styles whose text is hidden, directly or through the style they are based on. */
class HiddenStyles implements Handlers {
  readonly hidden = new Set<string>();
  #id = "";
  readonly #based = new Map<string, string>();

  opened(element: Element): void {
    const { name, attributes } = element;
    if (name === "style") this.#id = attributes.styleId ?? "";
    else if (name === "basedOn") this.#based.set(this.#id, attributes.val ?? "");
    else if (name === "vanish" && this.#id !== "" && isOn(element)) this.hidden.add(this.#id);
  }

  closed(name: string): void {
    if (name !== "styles") return;
    for (let before = -1; before < this.hidden.size; ) {
      before = this.hidden.size;
      for (const [id, base] of this.#based) if (this.hidden.has(base)) this.hidden.add(id);
    }
  }
}

/** Elements whose text is not shown. */
const unseen = new Set(["del", "moveFrom", "Fallback"]);

/** Emits the visible text, in the pieces found in the XML. */
class Words implements Handlers {
  readonly #hidden: ReadonlySet<string>;
  readonly #tell: (text: string) => void;
  #unseen = 0;
  #isText = false;
  /** One for each open paragraph and run, innermost last. */
  readonly #vanished: boolean[] = [];
  #inParagraphProperties = 0;
  /** One for each open field: true while in its code, before its result. */
  readonly #fields: boolean[] = [];

  constructor(hidden: ReadonlySet<string>, tell: (text: string) => void) {
    this.#hidden = hidden;
    this.#tell = tell;
  }

  opened(element: Element): void {
    const { name, attributes } = element;
    if (unseen.has(name)) this.#unseen++;
    else if (name === "p" || name === "r") this.#vanished.push(name === "r" && this.#isVanished());
    else if (name === "pPr") this.#inParagraphProperties++;
    else if (name === "pStyle" || name === "rStyle") this.#vanish(this.#hidden.has(attributes.val ?? ""));
    else if (name === "vanish" && this.#inParagraphProperties === 0) this.#vanish(isOn(element), true);
    else if (name === "fldChar") this.#field(attributes.fldCharType);
    else this.#isText = name === "t";
  }

  closed(name: string): void {
    if (unseen.has(name)) this.#unseen--;
    else if (name === "p" || name === "r") this.#vanished.pop();
    else if (name === "pPr") this.#inParagraphProperties--;
    this.#isText = false;
  }

  text(text: string): void {
    const isShown = this.#isText && this.#unseen === 0 && !this.#isVanished() && !this.#fields.includes(true);
    if (isShown) this.#tell(text);
  }

  #isVanished(): boolean {
    return this.#vanished.at(-1) ?? false;
  }

  #vanish(is: boolean, overrides = false): void {
    if (this.#vanished.length === 0 || (!is && !overrides)) return;
    this.#vanished[this.#vanished.length - 1] = is;
  }

  #field(type: string | undefined): void {
    if (type === "begin") this.#fields.push(true);
    else if (type === "separate" && this.#fields.length > 0) this.#fields[this.#fields.length - 1] = false;
    else if (type === "end") this.#fields.pop();
  }
}
