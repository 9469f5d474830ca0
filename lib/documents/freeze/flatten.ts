/**
 * Draws what annotations and form fields show on screen into their pages and removes them, so that nothing can
 * change, act, or look different in print. Links keep their place and target.
 */

import { drawOver, resourceName } from "#lib/documents/content/content.ts";
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRef,
  PDFStream,
  PDFString,
} from "#lib/documents/pdf/pdf-lib.ts";
import { formatNumber, type Typesetter } from "#lib/documents/typeset/fonts.ts";
import type { Box } from "#lib/documents/typeset/page-box.ts";
import { textIn } from "#lib/documents/typeset/text-box.ts";
import { safeTarget } from "./actions.ts";
import type { Layers } from "./layers.ts";
import { markupContent } from "./markup.ts";

const key = (text: string) => PDFName.of(text);

interface Flattening {
  type: Typesetter;
  layers: Layers;
  asksForAppearances: boolean;
}

/** Returns how many annotations were not visible on screen, and therefore no longer appear in print either. */
export function flatten(pdf: PDFDocument, type: Typesetter, layers: Layers): number {
  const form = pdf.catalog.lookup(key("AcroForm"));
  const asksForAppearances = form instanceof PDFDict && form.lookup(key("NeedAppearances")) === PDFBool.True;
  let printed = 0;
  for (const page of pdf.getPages()) printed += flattenPage(page, { type, layers, asksForAppearances });
  return printed;
}

function flattenPage(page: PDFPage, flattening: Flattening): number {
  const annotations = page.node.lookup(key("Annots"));
  page.node.delete(key("Annots"));
  if (!(annotations instanceof PDFArray)) return 0;
  const { context } = page.doc;
  const links: PDFObject[] = [];
  const drawn: string[] = [];
  let printed = 0;
  for (const entry of annotations.asArray()) {
    const annotation = context.lookup(entry);
    if (!(annotation instanceof PDFDict)) continue;
    const isOnScreen = isShown(annotation, flattening.layers);
    if (isOnScreen) drawn.push(contentOf(page, annotation, flattening));
    else if ((flagsOf(annotation) & (printFlag | hidden | invisible)) === printFlag) printed++;
    const link = isOnScreen ? linkOf(page, annotation) : null;
    if (link) links.push(replaced(page, entry, link));
    // The document structure's references to the annotation then lead nowhere.
    else if (entry instanceof PDFRef) context.delete(entry);
  }
  if (links.length > 0) page.node.set(key("Annots"), context.obj(links));
  const operators = drawn.filter(Boolean).join("\n");
  if (operators) drawOver(page, operators);
  return printed;
}

function replaced(page: PDFPage, entry: PDFObject, link: PDFDict): PDFObject {
  if (!(entry instanceof PDFRef)) return link;
  page.doc.context.assign(entry, link);
  return entry;
}

const printFlag = 0b100;
const hidden = 0b10;
const notViewed = 0b100000;
/** Hidden by viewers that do not know the annotation's kind. */
const invisible = 0b1;

function flagsOf(annotation: PDFDict): number {
  const flags = annotation.lookup(key("F"));
  return flags instanceof PDFNumber ? flags.asNumber() : 0;
}

function isShown(annotation: PDFDict, layers: Layers): boolean {
  const kind = annotation.lookup(key("Subtype"));
  if (kind === key("Popup") || layers.isHidden(annotation.get(key("OC")))) return false;
  const unseen = hidden | notViewed | (kind === key("Widget") ? 0 : invisible);
  return (flagsOf(annotation) & unseen) === 0;
}

/** A link without a frame, which some viewers draw and others do not. */
function linkOf({ doc: { context } }: PDFPage, annotation: PDFDict): PDFDict | null {
  if (annotation.lookup(key("Subtype")) !== key("Link")) return null;
  const target = safeTarget(context, annotation);
  const rectangle = readNumbers(annotation.lookup(key("Rect")), 4);
  if (target.length === 0 || !rectangle) return null;
  const link = context.obj({
    Type: "Annot",
    Subtype: "Link",
    F: printFlag,
    Border: [0, 0, 0],
    Rect: rectangle,
  });
  for (const [name, value] of target) link.set(name, value);
  const parent = annotation.lookup(key("StructParent"));
  if (parent instanceof PDFNumber) link.set(key("StructParent"), parent);
  return link;
}

/** What an annotation shows, as operators in the page's user space. */
function contentOf(page: PDFPage, annotation: PDFDict, flattening: Flattening): string {
  const rectangle = readRectangle(annotation.lookup(key("Rect")));
  if (!rectangle) return "";
  if (annotation.lookup(key("Subtype")) === key("Widget")) {
    return widgetContent(page, annotation, rectangle, flattening);
  }
  const appearance = normalAppearance(annotation);
  if (!appearance) return markupContent(page, annotation, rectangle, flattening.type);
  if (flattening.layers.isHidden(page.doc.context.lookup(appearance, PDFStream).dict.get(key("OC"))))
    return "";
  return placed(page, appearance, rectangle);
}

function widgetContent(
  page: PDFPage,
  widget: PDFDict,
  rectangle: Box,
  { type, asksForAppearances }: Flattening,
): string {
  const value = textValue(widget);
  const appearance = asksForAppearances && value !== null ? null : normalAppearance(widget);
  if (appearance) return placed(page, appearance, rectangle);
  if (value === null || value === "") return "";
  return `0 g\n${textIn(type, page, value, inset(rectangle), { size: 11 })}`;
}

const inset = ({ x, y, width, height }: Box): Box => ({ x: x + 2, y, width: Math.max(1, width - 4), height });

/** The value of a text or choice field; null for buttons and signatures, which only their appearance shows. */
function textValue(widget: PDFDict): string | null {
  const kind = inherited(widget, "FT");
  if (kind !== key("Tx") && kind !== key("Ch")) return null;
  const value = inherited(widget, "V");
  const isPassword =
    kind === key("Tx") && ((inherited(widget, "Ff") as PDFNumber)?.asNumber?.() ?? 0) & 0x2000;
  if (isPassword) return "";
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : "";
}

function inherited(field: PDFDict, name: string, depth = 0): unknown {
  const value = field.lookup(key(name));
  const parent = field.lookup(key("Parent"));
  return value ?? (parent instanceof PDFDict && depth < 32 ? inherited(parent, name, depth + 1) : undefined);
}

/** The appearance stream of a widget's current state. */
function normalAppearance(widget: PDFDict): PDFRef | null {
  const appearances = widget.lookup(key("AP"));
  if (!(appearances instanceof PDFDict)) return null;
  const normal = appearances.get(key("N"));
  const found = widget.context.lookup(normal);
  if (found instanceof PDFStream) return normal instanceof PDFRef ? normal : widget.context.register(found);
  const state = widget.lookup(key("AS"));
  if (!(found instanceof PDFDict) || !(state instanceof PDFName)) return null;
  const chosen = found.get(state);
  return chosen instanceof PDFRef && widget.context.lookup(chosen) instanceof PDFStream ? chosen : null;
}

/** The algorithm of ISO 32000-2, 12.5.5: fits the appearance's transformed box to the rectangle. */
function placed(page: PDFPage, ref: PDFRef, rectangle: Box): string {
  const { dict } = page.doc.context.lookup(ref, PDFStream);
  const box = readRectangle(dict.lookup(key("BBox"))) ?? { ...rectangle, x: 0, y: 0 };
  const [a, b, c, d, e, f] = readNumbers(dict.lookup(key("Matrix")), 6) ?? [1, 0, 0, 1, 0, 0];
  const points = [
    [box.x, box.y],
    [box.x + box.width, box.y],
    [box.x, box.y + box.height],
    [box.x + box.width, box.y + box.height],
  ].map(([x, y]) => [a! * x! + c! * y! + e!, b! * x! + d! * y! + f!] as const);
  const [left, bottom] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis]!)));
  const [right, top] = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis]!)));
  const sx = right! > left! ? rectangle.width / (right! - left!) : 1;
  const sy = top! > bottom! ? rectangle.height / (top! - bottom!) : 1;
  const matrix = [sx, 0, 0, sy, rectangle.x - left! * sx, rectangle.y - bottom! * sy];
  dict.set(key("Type"), key("XObject"));
  dict.set(key("Subtype"), key("Form"));
  return `q ${matrix.map(formatNumber).join(" ")} cm /${resourceName(page, "XObject", ref)} Do Q`;
}

export function readRectangle(value: unknown): Box | null {
  const [a, b, c, d] = readNumbers(value, 4) ?? [];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
  return { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(c - a), height: Math.abs(d - b) };
}

export function readNumbers(value: unknown, count: number): number[] | null {
  if (!(value instanceof PDFArray) || value.size() !== count) return null;
  const found = Array.from({ length: count }, (_, at) => value.lookup(at));
  return found.every((one) => one instanceof PDFNumber) ? found.map((one) => one.asNumber()) : null;
}
