/** A page as displayed: crop box and rotation applied, origin bottom left, upright. */
import { PDFArray, PDFName, PDFNumber, type PDFPage } from "#lib/documents/pdf/pdf-lib.ts";
import { formatNumber } from "./fonts.ts";

export interface PageBox {
  /** As displayed, in user space units. */
  width: number;
  height: number;
  /** The `cm` operator that maps from here into the page's own user space. */
  enter: string;
  /** User space units per typographic point. */
  unitsPerPoint: number;
}

/** A position on a page as displayed: bottom left corner and size, in user space units. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** In percent of the page as displayed, from its top left corner. */
export interface Placement {
  xPct: number;
  yPct: number;
  wPct: number;
  hPct: number;
}

export function pageBox(page: PDFPage): PageBox {
  const [x0, y0, x1, y1] = visibleBox(page);
  const turn = (((page.node.Rotate()?.asNumber() ?? 0) % 360) + 360) % 360;
  const [width, height] = [x1 - x0, y1 - y0];
  const unitsPerPoint = 1 / userUnit(page);
  const turned = { 90: [0, 1, -1, 0, x1, y0], 180: [-1, 0, 0, -1, x1, y1], 270: [0, -1, 1, 0, x0, y1] };
  const matrix = turned[turn as 90 | 180 | 270] ?? [1, 0, 0, 1, x0, y0];
  const enter = `${matrix.map(formatNumber).join(" ")} cm`;
  return turn === 90 || turn === 270
    ? { width: height, height: width, enter, unitsPerPoint }
    : { width, height, enter, unitsPerPoint };
}

export function boxOn({ width, height }: PageBox, { xPct, yPct, wPct, hPct }: Placement): Box {
  return {
    x: (xPct / 100) * width,
    y: height - ((yPct + hPct) / 100) * height,
    width: (wPct / 100) * width,
    height: (hPct / 100) * height,
  };
}

type Corners = [x0: number, y0: number, x1: number, y1: number];

const letter: Corners = [0, 0, 612, 792];

/** The part of the crop box within the media box; the media box if the two do not overlap, as in viewers. */
export function visibleBox(page: PDFPage): Corners {
  const media = corners(page, "MediaBox") ?? letter;
  const crop = corners(page, "CropBox") ?? media;
  const both: Corners = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  return both[2] > both[0] && both[3] > both[1] ? both : media;
}

function corners(page: PDFPage, key: string): Corners | null {
  const { context } = page.doc;
  const array = context.lookup(page.node.getInheritableAttribute(PDFName.of(key)));
  if (!(array instanceof PDFArray) || array.size() !== 4) return null;
  const numbers = array.asArray().map((one) => context.lookup(one));
  const values = numbers.map((one) => (one instanceof PDFNumber ? one.asNumber() : Number.NaN));
  const [a, b, c, d] = values as Corners;
  const found: Corners = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return found.every(Number.isFinite) && found[2] > found[0] && found[3] > found[1] ? found : null;
}

function userUnit(page: PDFPage): number {
  const unit = page.node.lookup(PDFName.of("UserUnit"));
  const value = unit instanceof PDFNumber ? unit.asNumber() : 1;
  return value > 0 && Number.isFinite(value) ? value : 1;
}
