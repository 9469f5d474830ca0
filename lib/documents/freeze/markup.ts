/** Draws the usual markup annotations as viewers do when a program left no appearance for them. */

import { resourceName } from "#lib/documents/content/content.ts";
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFString,
} from "#lib/documents/pdf/pdf-lib.ts";
import { formatNumber, type Typesetter } from "#lib/documents/typeset/fonts.ts";
import type { Box } from "#lib/documents/typeset/page-box.ts";
import { textIn } from "#lib/documents/typeset/text-box.ts";

const key = (text: string) => PDFName.of(text);

/** Operators in the page's user space; empty for kinds without a look of their own. */
export function markupContent(page: PDFPage, annotation: PDFDict, box: Box, type: Typesetter): string {
  const kind = annotation.lookup(key("Subtype"));
  const drawn = kind instanceof PDFName ? renderers[kind.decodeText()]?.({ annotation, box }) : undefined;
  if (drawn) return `q\n${opacity(page, annotation, kind === key("Highlight"))}${drawn}\nQ`;
  return kind === key("FreeText") ? freeText(page, annotation, box, type) : "";
}

interface Mark {
  annotation: PDFDict;
  box: Box;
}

const renderers: Record<string, (mark: Mark) => string> = {
  Highlight: ({ annotation }) => filled(annotation, "C", "1 1 0 rg", quads(annotation).map(rectangle)),
  Underline: (mark) => lines(mark, 0.08),
  Squiggly: (mark) => lines(mark, 0.08),
  StrikeOut: (mark) => lines(mark, 0.5),
  Square: ({ annotation, box }) => outlined(annotation, rectangle(inner(annotation, box))),
  Circle: ({ annotation, box }) => outlined(annotation, ellipse(inner(annotation, box))),
  Line: ({ annotation }) => stroked(annotation, polyline(numbersIn(annotation, "L"))),
  PolyLine: ({ annotation }) => stroked(annotation, polyline(numbersIn(annotation, "Vertices"))),
  Polygon: ({ annotation }) => outlined(annotation, `${polyline(numbersIn(annotation, "Vertices"))} h`),
  Ink: ({ annotation }) => {
    const list = annotation.lookup(key("InkList"));
    const paths = list instanceof PDFArray ? list.asArray().map((_, at) => numbersOf(list.lookup(at))) : [];
    return stroked(annotation, paths.map(polyline).join("\n"));
  },
};

function freeText(page: PDFPage, annotation: PDFDict, box: Box, type: Typesetter): string {
  const contents = annotation.lookup(key("Contents"));
  if (!(contents instanceof PDFString || contents instanceof PDFHexString)) return "";
  const appearance = annotation.lookup(key("DA"));
  const says = appearance instanceof PDFString ? appearance.decodeText() : "";
  const size = Number(/([\d.]+)\s+Tf/.exec(says)?.[1] ?? 11) || 11;
  const color = /(?:[\d.]+\s+){1,4}(?:g|rg|k)(?=\s|$)/.exec(says)?.[0] ?? "0 g";
  return `${color}\n${textIn(type, page, contents.decodeText(), box, { size })}`;
}

function opacity(page: PDFPage, annotation: PDFDict, multiplies: boolean): string {
  const alpha = annotation.lookup(key("CA"));
  const share = alpha instanceof PDFNumber ? Math.min(1, Math.max(0, alpha.asNumber())) : 1;
  if (share === 1 && !multiplies) return "";
  const { context } = page.doc;
  const state = context.obj({ ca: share, CA: share, BM: multiplies ? "Multiply" : "Normal" });
  return `/${resourceName(page, "ExtGState", context.register(state))} gs\n`;
}

/** The upright area of each quadrilateral. */
function quads(annotation: PDFDict): Box[] {
  const points = numbersIn(annotation, "QuadPoints");
  return Array.from({ length: Math.floor(points.length / 8) }, (_, at) => {
    const quad = points.slice(8 * at, 8 * at + 8);
    const [xs, ys] = [quad.filter((_, index) => index % 2 === 0), quad.filter((_, index) => index % 2 === 1)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  });
}

/** A line along each quadrilateral, at a fraction of its height. */
function lines({ annotation }: Mark, share: number): string {
  const paths = quads(annotation).map(({ x, y, width, height }) =>
    polyline([x, y + share * height, x + width, y + share * height]),
  );
  return stroked(annotation, paths.join("\n"));
}

const rectangle = ({ x, y, width, height }: Box) => `${[x, y, width, height].map(formatNumber).join(" ")} re`;

function polyline(points: number[]): string {
  const pairs = Array.from({ length: Math.floor(points.length / 2) }, (_, at) =>
    points.slice(2 * at, 2 * at + 2),
  );
  return pairs.map((pair, at) => `${pair.map(formatNumber).join(" ")} ${at === 0 ? "m" : "l"}`).join(" ");
}

function ellipse({ x, y, width, height }: Box): string {
  const [rx, ry] = [width / 2, height / 2];
  const at = (u: number, v: number) => `${formatNumber(x + rx + u * rx)} ${formatNumber(y + ry + v * ry)}`;
  const k = 0.5523;
  return [
    `${at(1, 0)} m`,
    `${at(1, k)} ${at(k, 1)} ${at(0, 1)} c`,
    `${at(-k, 1)} ${at(-1, k)} ${at(-1, 0)} c`,
    `${at(-1, -k)} ${at(-k, -1)} ${at(0, -1)} c`,
    `${at(k, -1)} ${at(1, -k)} ${at(1, 0)} c h`,
  ].join(" ");
}

function filled(annotation: PDFDict, entry: string, other: string, paths: string[]): string {
  return [color(annotation, entry, ["g", "rg", "k"]) ?? other, ...paths, "f"].join("\n");
}

function stroked(annotation: PDFDict, path: string): string {
  const width = widthOf(annotation);
  if (width === 0 || path === "") return "";
  return `${color(annotation, "C", ["G", "RG", "K"]) ?? "0 G"} ${formatNumber(width)} w\n${path} S`;
}

function outlined(annotation: PDFDict, path: string): string {
  const fill = color(annotation, "IC", ["g", "rg", "k"]);
  const stroke = stroked(annotation, path);
  if (!fill) return stroke;
  return `${fill}\n${stroke ? stroke.replace(/S$/, "B") : `${path} f`}`;
}

function color(annotation: PDFDict, entry: string, operators: [string, string, string]): string | null {
  const parts = numbersIn(annotation, entry);
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[parts.length];
  return operator ? `${parts.map(formatNumber).join(" ")} ${operator}` : null;
}

function widthOf(annotation: PDFDict): number {
  const style = annotation.lookup(key("BS"));
  const said = style instanceof PDFDict ? style.lookup(key("W")) : undefined;
  if (said instanceof PDFNumber) return Math.max(0, said.asNumber());
  return Math.max(0, numbersIn(annotation, "Border")[2] ?? 1);
}

/** The rectangle, inset by half a line's width. */
function inner(annotation: PDFDict, { x, y, width, height }: Box): Box {
  const by = widthOf(annotation);
  return { x: x + by / 2, y: y + by / 2, width: Math.max(0, width - by), height: Math.max(0, height - by) };
}

const numbersIn = (annotation: PDFDict, entry: string) => numbersOf(annotation.lookup(key(entry)));

function numbersOf(value: unknown): number[] {
  if (!(value instanceof PDFArray)) return [];
  return Array.from({ length: value.size() }, (_, at) => value.lookup(at)).flatMap((one) =>
    one instanceof PDFNumber ? [one.asNumber()] : [],
  );
}
