/**
 * Layers (optional content groups, ISO 32000-2, 8.11): a document can show some on screen and others in print. Keeps
 * what the signers' viewer shows on screen, removes the rest from everything drawn, and leaves nothing optional.
 */

import { contentOf, decodeStream } from "#lib/documents/content/content.ts";
import { nameIn, type Operation, operations } from "#lib/documents/content/operators.ts";
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFStream,
} from "#lib/documents/pdf/pdf-lib.ts";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";

const key = (text: string) => PDFName.of(text);

export class Layers {
  readonly #pdf: PDFDocument;
  /** The groups that the document declares, and whether each is shown on screen. */
  readonly #shown = new Map<PDFObject, boolean>();

  constructor(pdf: PDFDocument) {
    this.#pdf = pdf;
    const properties = pdf.catalog.lookup(key("OCProperties"));
    if (!(properties instanceof PDFDict)) return;
    const config = properties.lookup(key("D"));
    const listed = (name: string) => {
      const list = config instanceof PDFDict ? config.lookup(key(name)) : undefined;
      return list instanceof PDFArray ? list.asArray() : [];
    };
    const base = config instanceof PDFDict && config.lookup(key("BaseState")) === key("OFF");
    const declared = properties.lookup(key("OCGs"));
    for (const group of declared instanceof PDFArray ? declared.asArray() : []) this.#shown.set(group, !base);
    for (const [name, isOn] of [
      ["ON", true],
      ["OFF", false],
    ] as const) {
      for (const group of listed(name)) if (this.#shown.has(group)) this.#shown.set(group, isOn);
    }
    for (const group of this.#shown.keys()) if (this.#isOffInView(group)) this.#shown.set(group, false);
  }

  #isOffInView(group: PDFObject): boolean {
    let found = this.#pdf.context.lookup(group);
    for (const name of ["Usage", "View"])
      found = found instanceof PDFDict ? found.lookup(key(name)) : undefined;
    return found instanceof PDFDict && found.lookup(key("ViewState")) === key("OFF");
  }

  /** Whether content of this group, or of this combination of groups, is hidden on screen. */
  isHidden(entry: PDFObject | undefined): boolean {
    if (!entry || this.#shown.size === 0) return false;
    const shown = this.#shown.get(entry);
    if (shown !== undefined) return !shown;
    const found = this.#pdf.context.lookup(entry);
    if (!(found instanceof PDFDict) || found.lookup(key("Type")) !== key("OCMD")) return false;
    const expression = found.lookup(key("VE"));
    return !(expression instanceof PDFArray ? this.#evaluate(expression) : this.#policyHolds(found));
  }

  #evaluate(expression: PDFArray, depth = 0): boolean {
    const [operator, ...operands] = expression.asArray();
    if (operands.length === 0 || depth > 20) return true;
    const states: boolean[] = [];
    for (const operand of operands) {
      const nested = this.#pdf.context.lookup(operand);
      const state = nested instanceof PDFArray ? this.#evaluate(nested, depth + 1) : this.#shown.get(operand);
      // With an unknown group the content is shown, as in the viewer.
      if (state === undefined) return true;
      states.push(state);
    }
    if (operator === key("And")) return states.every(Boolean);
    if (operator === key("Or")) return states.some(Boolean);
    return operator === key("Not") ? !states[0] : true;
  }

  #policyHolds(membership: PDFDict): boolean {
    const listed = membership.get(key("OCGs"));
    const groups = this.#pdf.context.lookup(listed);
    const of = groups instanceof PDFArray ? groups.asArray() : listed ? [listed] : [];
    const states = of.map((group) => this.#shown.get(group));
    if (states.some((state) => state === undefined)) return true;
    const policy = membership.lookup(key("P"));
    if (policy === key("AllOn")) return states.every(Boolean);
    if (policy === key("AnyOff")) return states.some((state) => !state);
    if (policy === key("AllOff")) return !states.some(Boolean);
    return states.some(Boolean);
  }

  /** Removes what is hidden on screen from everything that draws. Returns whether there was anything. */
  removeHidden(): boolean {
    const { context } = this.#pdf;
    if (this.#shown.size === 0) return false;
    const hiddenNames = new Set<string>();
    let found = false;
    for (const [ref, object] of context.enumerateIndirectObjects()) {
      const dict = object instanceof PDFStream ? object.dict : object;
      if (!(dict instanceof PDFDict)) continue;
      for (const [name, entry] of propertiesOf(dict)) {
        if (this.isHidden(entry)) hiddenNames.add(name.decodeText());
      }
      if (!(object instanceof PDFStream) || !this.isHidden(dict.get(key("OC")))) continue;
      context.assign(ref, context.stream("", { Type: "XObject", Subtype: "Form", BBox: [0, 0, 0, 0] }));
      found = true;
    }
    return hiddenNames.size > 0 ? this.#removeSections(hiddenNames) || found : found;
  }

  #removeSections(hiddenNames: Set<string>): boolean {
    const { context } = this.#pdf;
    let found = false;
    const rewrite = (content: Uint8Array, resources: unknown): Buffer | null => {
      const own = resources instanceof PDFDict ? new Map(propertiesOf(resources)) : null;
      const rest = withoutSections(content, (name) =>
        own ? this.isHidden(own.get(key(name))) : hiddenNames.has(name),
      );
      if (rest) found = true;
      return rest;
    };
    for (const page of this.#pdf.getPages()) {
      const rest = rewrite(contentOf(page), page.node.Resources());
      if (rest) page.node.set(key("Contents"), context.register(context.flateStream(rest)));
    }
    for (const [ref, resources] of this.#drawingStreams()) {
      const stream = context.lookup(ref, PDFStream);
      const rest = rewrite(decodeStream(stream), resources);
      if (!rest) continue;
      const anew = context.flateStream(rest);
      for (const [name, value] of stream.dict.entries()) {
        if (!["Filter", "DecodeParms", "Length", "F"].includes(name.decodeText())) anew.dict.set(name, value);
      }
      context.assign(ref, anew);
    }
    return found;
  }

  /** Forms, appearances, tiling patterns and Type 3 glyphs, with their resources. */
  #drawingStreams(): Map<PDFRef, unknown> {
    const streams = new Map<PDFRef, unknown>();
    for (const [ref, object] of this.#pdf.context.enumerateIndirectObjects()) {
      if (object instanceof PDFStream) {
        if (object.dict.has(key("BBox"))) streams.set(ref, object.dict.lookup(key("Resources")));
      } else if (object instanceof PDFDict && object.lookup(key("Subtype")) === key("Type3")) {
        const letters = object.lookup(key("CharProcs"));
        for (const letter of letters instanceof PDFDict ? letters.values() : []) {
          const isStream = letter instanceof PDFRef && this.#pdf.context.lookup(letter) instanceof PDFStream;
          if (isStream) streams.set(letter, object.lookup(key("Resources")));
        }
      }
    }
    return streams;
  }
}

/** What the names in a content stream's marks refer to, from resources or from an object that has them. */
function propertiesOf(dict: PDFDict): [PDFName, PDFObject][] {
  const resources = dict.lookup(key("Resources"));
  const properties = (resources instanceof PDFDict ? resources : dict).lookup(key("Properties"));
  return properties instanceof PDFDict ? properties.entries() : [];
}

const paths = new Set(["f", "F", "f*", "B", "B*", "b", "b*", "S", "s"]);
const marks = new Set(["sh", "Do", "BI", "Tj", "TJ", "MP", "DP"]);
const moves = new Set(["BT", "ET", "Td", "TD", "Tm", "T*", "'", '"']);

/** A content stream without its hidden sections; null if it has none. Their effects on the graphics state remain. */
function withoutSections(content: Uint8Array, isHidden: (name: string) => boolean): Buffer | null {
  const rest: (Uint8Array | string)[] = [];
  const open: { hidden: boolean; stays: boolean }[] = [];
  let found = false;
  /** Hidden text was removed, so the text after it on the same line would be in the wrong place. */
  let isShifted = false;
  for (const operation of operations(content)) {
    const { operator, operands, start, end } = operation;
    const hidden = open.at(-1)?.hidden ?? false;
    if (moves.has(operator)) isShifted = false;
    if (operator === "BDC" || operator === "BMC") {
      const layer = operator === "BDC" && operands[0] === "/OC" ? nameIn(operands[1]) : null;
      const hides = layer !== null && isHidden(layer);
      found ||= hides;
      open.push({ hidden: hidden || hides, stays: !hidden && operands[0] !== "/OC" });
      if (!open.at(-1)!.stays) continue;
    } else if (operator === "EMC") {
      const section = open.pop();
      if (section && !section.stays) continue;
    } else if (hidden) {
      rest.push(remainderOf(operation, content), "\n");
      if (operator === "Tj" || operator === "TJ" || operator === "'" || operator === '"') isShifted = true;
      continue;
    } else if (isShifted && (operator === "Tj" || operator === "TJ")) {
      throw new UnacceptableFile(
        "switches off a layer in the middle of a line of text; print it to a new PDF",
      );
    }
    rest.push(content.subarray(start, end), "\n");
  }
  return found ? Buffer.concat(rest.map((part) => Buffer.from(part as string))) : null;
}

/** What remains of a hidden operation: paths end (they may clip), lines advance, the state changes. */
function remainderOf(
  { operator, operands, start, end }: Operation,
  content: Uint8Array,
): Uint8Array | string {
  if (paths.has(operator)) return "n";
  if (marks.has(operator)) return "";
  if (operator === "'") return "T*";
  if (operator === '"') return `${operands[0]} Tw ${operands[1]} Tc T*`;
  return content.subarray(start, end);
}
