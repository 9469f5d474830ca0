/**
 * Removes what can make a document look different in print than on screen, or in one program than in another, and
 * what it carries besides its pages. Call it once all unreferenced objects are gone.
 */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  type PDFRef,
  PDFStream,
} from "#lib/documents/pdf/pdf-lib.ts";

const key = (text: string) => PDFName.of(text);

export function settleForPrint(context: PDFContext): void {
  for (const [ref, object] of context.enumerateIndirectObjects()) settle(context, object, ref);
}

/** Iterative, because objects may be nested as deeply as the parser accepts; they are few. */
function settle(context: PDFContext, root: PDFObject, ref: PDFRef): void {
  const open: PDFObject[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (next instanceof PDFStream) {
      settleStream(context, next, ref);
      open.push(next.dict);
    } else if (next instanceof PDFDict) {
      settleDict(next);
      open.push(...next.values());
    } else if (next instanceof PDFArray) {
      settleInks(context, next);
      open.push(...next.asArray());
    }
  }
}

const inStreams = [
  // Layers were resolved earlier; no reader may look for them again.
  "OC",
  // Another picture for printers, from a print shop's server, or from another file.
  ...["Alternates", "OPI", "Ref"],
  // PostScript, which only printers run.
  ...["PS", "Subtype2"],
  // Data in another file.
  ...["F", "FFilter", "FDecodeParms"],
  ...["AF", "PieceInfo", "LastModified", "Measure", "PtData"],
].map(key);

function settleStream(context: PDFContext, { dict }: PDFStream, ref: PDFRef): void {
  for (const name of inStreams) dict.delete(name);
  if (dict.lookup(key("Subtype")) !== key("PS")) return;
  context.assign(ref, context.stream("", { Type: "XObject", Subtype: "Form", BBox: [0, 0, 0, 0] }));
}

/**
 * The graphics state entries to keep: no overprint, transfer curves, halftones or black generation, which are for
 * printers.
 */
const inGraphicsStates = new Set(
  [
    "Type",
    "LW",
    "LC",
    "LJ",
    "ML",
    "D",
    "RI",
    "Font",
    "FL",
    "SM",
    "SA",
    "BM",
    "SMask",
    "CA",
    "ca",
    "AIS",
    "TK",
  ].map(key),
);

/** The properties of marked content to keep: its place in the structure, and text for it. */
const inProperties = new Set(["MCID", "Lang", "ActualText", "Alt", "E"].map(key));

function settleDict(dict: PDFDict): void {
  keepOnly(dict, "ExtGState", inGraphicsStates);
  keepOnly(dict, "Properties", inProperties);
  const blend = dict.lookup(key("BM"));
  // A program uses the first mode it knows, and programs know different ones.
  if (blend instanceof PDFArray)
    dict.set(key("BM"), blend.asArray().find((one) => blends.has(one)) ?? key("Normal"));
  // Embedded files, wherever they are specified.
  if (dict.has(key("EF"))) for (const name of ["EF", "RF"].map(key)) dict.delete(name);
  if (isAction(dict)) for (const name of dict.keys()) dict.delete(name);
}

const blends = new Set<PDFObject>(
  [
    ...[
      "Normal",
      "Multiply",
      "Screen",
      "Overlay",
      "Darken",
      "Lighten",
      "ColorDodge",
      "ColorBurn",
      "HardLight",
    ],
    ...["SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity"],
  ].map(key),
);

/** Applies to each dictionary listed in this entry. */
function keepOnly(dict: PDFDict, name: string, known: ReadonlySet<PDFName>): void {
  const listed = dict.lookup(key(name));
  if (!(listed instanceof PDFDict) || listed.has(key("Type"))) return;
  for (const entry of listed.keys()) {
    const one = listed.lookup(entry);
    if (!(one instanceof PDFDict)) continue;
    for (const other of one.keys()) if (!known.has(other)) one.delete(other);
  }
}

const actions = new Set(
  [
    ...[
      "GoToR",
      "GoToE",
      "GoToDp",
      "Launch",
      "Thread",
      "Sound",
      "Movie",
      "Hide",
      "Named",
      "SubmitForm",
      "ResetForm",
    ],
    ...["ImportData", "JavaScript", "SetOCGState", "Rendition", "Trans", "GoTo3DView", "RichMediaExecute"],
  ].map(key),
);

/** An element of the structure also has /S, with any name, but it has a parent. */
function isAction(dict: PDFDict): boolean {
  const kind = dict.lookup(key("S"));
  return kind instanceof PDFName && actions.has(kind) && !dict.has(key("P"));
}

/**
 * Printers that have a spot color's ink use it, while screens mix it from others: white on screen may be black in
 * print. Under a name that no printer has, it is mixed the same way everywhere.
 */
function settleInks(context: PDFContext, array: PDFArray): void {
  const kind = array.size() >= 4 ? array.get(0) : null;
  if (kind === key("Separation")) array.set(1, ink(0));
  if (kind !== key("DeviceN")) return;
  const names = array.lookup(1);
  if (names instanceof PDFArray) array.set(1, context.obj(names.asArray().map((_, at) => ink(at))));
  if (array.size() > 4) array.remove(4);
}

const ink = (index: number) => key(`Countersign${index + 1}`);
