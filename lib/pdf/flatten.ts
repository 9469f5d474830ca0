/**
 * Turns what can still change in a document into what it shows now: form fields become part of their pages,
 * scripts and earlier signatures' promises go. Annotations (links, notes) stay.
 */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFRef,
  PDFStream,
  PDFString,
} from "pdf-lib";
import { drawOver, resourceName } from "./content.ts";
import { number, type Typesetter } from "./fonts.ts";
import type { Box } from "./page-box.ts";
import { textIn } from "./text-box.ts";

const key = (text: string) => PDFName.of(text);

export function flatten(pdf: PDFDocument, type: Typesetter): void {
  const form = pdf.catalog.lookup(key("AcroForm"));
  const asksForAppearances = form instanceof PDFDict && form.lookup(key("NeedAppearances")) === PDFBool.True;
  for (const page of pdf.getPages()) flattenPage(page, type, asksForAppearances);
  for (const entry of ["AcroForm", "OpenAction", "AA", "Perms", "DSS"]) pdf.catalog.delete(key(entry));
  const names = pdf.catalog.lookup(key("Names"));
  if (names instanceof PDFDict) names.delete(key("JavaScript"));
}

function flattenPage(page: PDFPage, type: Typesetter, asksForAppearances: boolean): void {
  page.node.delete(key("AA"));
  const annotations = page.node.lookup(key("Annots"));
  if (!(annotations instanceof PDFArray)) return;
  const { context } = page.doc;
  const kept: (PDFDict | PDFRef)[] = [];
  const drawn: string[] = [];
  for (const entry of annotations.asArray() as (PDFDict | PDFRef)[]) {
    const annotation = context.lookup(entry);
    if (!(annotation instanceof PDFDict)) continue;
    annotation.delete(key("AA"));
    if (annotation.lookup(key("Subtype")) !== key("Widget")) kept.push(entry);
    else drawn.push(widgetContent(page, annotation, type, asksForAppearances));
  }
  if (kept.length === annotations.size()) return;
  page.node.set(key("Annots"), context.obj(kept));
  const operators = drawn.filter(Boolean).join("\n");
  if (operators) drawOver(page, operators);
}

const hiddenOrNotShown = 0b100010;

/** What a form field shows, as operators in the page's user space. */
function widgetContent(
  page: PDFPage,
  widget: PDFDict,
  type: Typesetter,
  asksForAppearances: boolean,
): string {
  const flags = widget.lookup(key("F"));
  if (flags instanceof PDFNumber && flags.asNumber() & hiddenOrNotShown) return "";
  const rectangle = corners(widget.lookup(key("Rect")));
  if (!rectangle) return "";
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

/** The stream of the state that a widget is in. */
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

/** The algorithm of ISO 32000-2, 12.5.5: the appearance's box, transformed, is fitted to the rectangle. */
function placed(page: PDFPage, ref: PDFRef, rectangle: Box): string {
  const { dict } = page.doc.context.lookup(ref, PDFStream);
  const box = corners(dict.lookup(key("BBox"))) ?? { ...rectangle, x: 0, y: 0 };
  const [a, b, c, d, e, f] = numbers(dict.lookup(key("Matrix")), 6) ?? [1, 0, 0, 1, 0, 0];
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
  return `q ${matrix.map(number).join(" ")} cm /${resourceName(page, "XObject", ref)} Do Q`;
}

function corners(value: unknown): Box | null {
  const [a, b, c, d] = numbers(value, 4) ?? [];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
  return { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(c - a), height: Math.abs(d - b) };
}

function numbers(value: unknown, count: number): number[] | null {
  if (!(value instanceof PDFArray) || value.size() !== count) return null;
  const found = Array.from({ length: count }, (_, at) => value.lookup(at));
  return found.every((one) => one instanceof PDFNumber) ? found.map((one) => one.asNumber()) : null;
}
