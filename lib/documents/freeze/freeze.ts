/**
 * Makes a document look everywhere as its signers see it: what a screen shows is drawn, and whatever could look
 * different in print, in another program or later (layers, annotations, forms, scripts, actions, embedded files) is
 * removed. Deterministic: the same bytes give the same document.
 */

import { decodeStream } from "#lib/documents/content/content.ts";
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFStream,
  PDFString,
} from "#lib/documents/pdf/pdf-lib.ts";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";
import type { Typesetter } from "#lib/documents/typeset/fonts.ts";
import { safeDestination, safeTarget } from "./actions.ts";
import { flatten } from "./flatten.ts";
import { Layers } from "./layers.ts";
import { flattenPageTree } from "./page-tree.ts";
import { settleForPrint } from "./screen-and-print.ts";
import { dictsIn, sweep } from "./sweep.ts";

const key = (text: string) => PDFName.of(text);

/** Returns notes for the sender; each continues a sentence that begins with "the document". Throws UnacceptableFile. */
export function freeze(pdf: PDFDocument, type: Typesetter): string[] {
  const { catalog, context } = pdf;
  refuseUnfreezable(catalog);
  const notes = notesOn(pdf);
  const layers = new Layers(pdf);
  flattenPageTree(pdf);
  if (layers.removeHidden()) {
    notes.push("has layers that are switched off on a screen: they are left out of what is signed");
  }
  const printed = flatten(pdf, type, layers);
  if (printed > 0) {
    notes.push("has annotations that show only in print: they are left out of what is signed");
  }
  settleCatalog(pdf);
  sweep(context);
  settleForPrint(context);
  sweep(context);
  return notes;
}

function refuseUnfreezable(catalog: PDFDict): void {
  if (catalog.lookup(key("NeedsRendering")) === PDFBool.True) {
    throw new UnacceptableFile(
      "is a form (XFA) whose pages a program draws when it is opened; print it to a new PDF",
    );
  }
  if (catalog.lookup(key("Collection")) instanceof PDFDict) {
    throw new UnacceptableFile(
      "is a portfolio: its documents are attached to it; upload the one that is to be signed",
    );
  }
}

function notesOn({ catalog, context }: PDFDocument): string[] {
  const kinds = new Set<string>();
  for (const [, object] of context.enumerateIndirectObjects()) {
    for (const dict of dictsIn(object)) {
      const action = dict.get(key("S"));
      if (action === key("JavaScript") || action === key("Launch")) kinds.add("program");
      if (dict.has(key("EF"))) kinds.add("file");
      if (dict.has(key("ByteRange")) && dict.has(key("Contents"))) kinds.add("signature");
    }
  }
  const form = catalog.lookup(key("AcroForm"));
  if (form instanceof PDFDict && form.has(key("XFA"))) kinds.add("xfa");
  return Object.entries(kindsOfNotes).flatMap(([kind, note]) => (kinds.has(kind) ? [note] : []));
}

const kindsOfNotes = {
  program: "runs programs when it is opened or clicked: they are left out of what is signed",
  file: "has files attached to it: they are left out of what is signed. Send them on their own where they belong to the contract",
  signature:
    "was signed digitally before: what is signed here is a copy, in which those signatures only show",
  xfa: "is a form with a second description (XFA): what its pages show is signed",
};

/** The catalog entries that may stay. */
const allowedCatalogEntries = new Set(
  [
    "Type",
    "Version",
    "Pages",
    "PageLabels",
    "PageLayout",
    "Lang",
    "MarkInfo",
    "StructTreeRoot",
    "Metadata",
  ].map(key),
);

function settleCatalog(pdf: PDFDocument): void {
  const { catalog, context } = pdf;
  const names = catalog.lookup(key("Names"));
  const places = names instanceof PDFDict ? names.get(key("Dests")) : undefined;
  const older = catalog.lookup(key("Dests"));
  const bookmarks = catalog.get(key("Outlines"));
  const preferences = catalog.lookup(key("ViewerPreferences"));
  for (const name of catalog.keys()) if (!allowedCatalogEntries.has(name)) catalog.delete(name);
  if (claimsConformance(catalog.lookup(key("Metadata")))) catalog.delete(key("Metadata"));
  const tree = placesIn(pdf, places);
  if (tree) catalog.set(key("Names"), context.obj({ Dests: tree }));
  if (older instanceof PDFDict) {
    const kept = older.entries().flatMap(([name, value]) => {
      const place = safeDestination(context, value);
      return place ? [[name, place] as const] : [];
    });
    catalog.set(key("Dests"), PDFDict.fromMapWithContext(new Map(kept), context));
  }
  if (bookmarks && settleBookmarks(pdf, bookmarks)) catalog.set(key("Outlines"), bookmarks);
  const shown = context.obj({});
  for (const name of ["DisplayDocTitle", "Direction"].map(key)) {
    const value = preferences instanceof PDFDict ? preferences.lookup(name) : undefined;
    if (value instanceof PDFBool || value instanceof PDFName) shown.set(name, value);
  }
  catalog.set(key("ViewerPreferences"), shown);
}

/** A claim (PDF/A, PDF/X) that the changed document may no longer satisfy. */
function claimsConformance(metadata: PDFObject | undefined): boolean {
  if (!(metadata instanceof PDFStream)) return metadata !== undefined;
  return /pdf(aid|xid|x|e|vt)?:(part|GTS_PDF|ISO_PDFE)/i.test(
    Buffer.from(decodeStream(metadata)).toString("latin1"),
  );
}

const maxNodes = 100_000;

/** The named destinations of a document, in one list; from a name tree, its leaves. */
function placesIn({ context }: PDFDocument, root: PDFObject | undefined): PDFDict | null {
  const found = new Map<string, PDFObject[]>();
  const open: (PDFObject | undefined)[] = [root];
  const seen = new Set<PDFObject>();
  while (open.length > 0) {
    const node = context.lookup(open.pop());
    if (!(node instanceof PDFDict) || seen.has(node) || seen.size > maxNodes) continue;
    seen.add(node);
    const kids = node.lookup(key("Kids"));
    if (kids instanceof PDFArray) open.push(...kids.asArray());
    const pairs = node.lookup(key("Names"));
    if (!(pairs instanceof PDFArray)) continue;
    for (let at = 0; at + 1 < pairs.size(); at += 2) {
      const name = pairs.lookup(at);
      const place = safeDestination(context, pairs.get(at + 1));
      if (!place || !(name instanceof PDFString || name instanceof PDFHexString)) continue;
      const bytes = Buffer.from(name.asBytes());
      found.set(bytes.toString("latin1"), [PDFHexString.fromBytes(bytes), place]);
    }
  }
  if (found.size === 0) return null;
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return context.obj({ Names: sorted.flatMap(([, pair]) => pair) });
}

const inBookmarks = new Set(
  ["Title", "Parent", "Prev", "Next", "First", "Last", "Count", "C", "F", "Type"].map(key),
);

/** Limits bookmarks to places and addresses; others lead nowhere. Returns false if there are none. */
function settleBookmarks({ context }: PDFDocument, root: PDFObject): boolean {
  const seen = new Set<PDFObject>();
  const open: (PDFObject | undefined)[] = [root];
  while (open.length > 0) {
    const item = context.lookup(open.pop());
    if (!(item instanceof PDFDict) || seen.has(item) || seen.size > maxNodes) continue;
    seen.add(item);
    const target = safeTarget(context, item);
    for (const name of item.keys()) if (!inBookmarks.has(name)) item.delete(name);
    for (const [name, value] of target) item.set(name, value);
    open.push(item.get(key("First")), item.get(key("Next")));
  }
  return seen.size > 0;
}
