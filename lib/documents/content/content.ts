/** Adds to a page's content without being moved, scaled or clipped by the existing content. */
import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFPage,
  PDFRawStream,
  type PDFRef,
  PDFStream,
} from "#lib/documents/pdf/pdf-lib.ts";
import { operations } from "./operators.ts";

type Kind = "Font" | "XObject" | "ExtGState";

/** Draws operators on top of a page's content, in the page's own user space whatever the content did to it. */
export function drawOver(page: PDFPage, operators: string): void {
  const { node, doc } = page;
  const { depth, deepest } = balance(contentOf(page));
  const stream = (text: string) => doc.context.register(doc.context.flateStream(`${text}\n`));
  const opening = stream("q ".repeat(1 + deepest));
  const closing = stream(`${"Q ".repeat(1 + deepest + depth)}\nq\n${operators}\nQ`);
  const value = node.Contents();
  const before = value instanceof PDFArray ? value.asArray() : value ? [node.get(contents)!] : [];
  node.set(contents, doc.context.obj([opening, ...before, closing]));
}

const contents = PDFName.of("Contents");

/** The name by which a page's content refers to a font, an image or another object. */
export function resourceName(page: PDFPage, kind: Kind, ref: PDFRef): string {
  const names = resourceNames.get(page.node) ?? new Map<PDFRef, string>();
  resourceNames.set(page.node, names);
  const known = names.get(ref);
  if (known) return known;
  if (names.size === 0) ownResources(page);
  const entries = page.node.Resources()!.lookup(PDFName.of(kind), PDFDict);
  const name = entries.uniqueKey("Cs");
  entries.set(name, ref);
  names.set(ref, name.decodeText());
  return name.decodeText();
}

const resourceNames = new WeakMap<object, Map<PDFRef, string>>();

/** Copies the resources, which may be inherited or shared: additions for one page must not reach another. */
function ownResources({ node, doc }: PDFPage): void {
  const copied = copy(node.Resources(), doc.context);
  for (const kind of ["Font", "XObject", "ExtGState"].map((one) => PDFName.of(one))) {
    const entries = copied.lookup(kind);
    copied.set(kind, copy(entries instanceof PDFDict ? entries : undefined, doc.context));
  }
  node.set(PDFName.of("Resources"), copied);
}

function copy(dict: PDFDict | undefined, context: PDFContext): PDFDict {
  const made = PDFDict.withContext(context);
  for (const [key, value] of dict?.entries() ?? []) made.set(key, value);
  return made;
}

/** Everything that a page draws, decoded. */
export function contentOf(page: PDFPage): Uint8Array {
  const value = page.node.Contents();
  const streams =
    value instanceof PDFArray ? value.asArray().map((one) => page.doc.context.lookup(one)) : [value];
  const parts = streams.filter((one) => one instanceof PDFStream).map(decodeStream);
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}

export function decodeStream(stream: PDFStream): Uint8Array {
  try {
    return stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : stream.getContents();
  } catch {
    // Content that cannot be decoded here is not drawn by viewers either.
    return new Uint8Array();
  }
}

/**
 * How many graphics states a content leaves open (`depth`), and how many it closes without having opened them
 * (`deepest`). Either would shift what is drawn after it.
 */
export function balance(content: Uint8Array): { depth: number; deepest: number } {
  let [depth, deepest] = [0, 0];
  for (const { operator } of operations(content)) {
    if (operator !== "q" && operator !== "Q") continue;
    depth += operator === "q" ? 1 : -1;
    deepest = Math.max(deepest, -depth);
  }
  return { depth, deepest };
}
