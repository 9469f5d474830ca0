/** Draws what the signers filled in onto the pages, exactly where the fields were placed. */

import { drawOver, resourceName } from "#lib/documents/content/content.ts";
import type { PDFDocument, PDFImage } from "#lib/documents/pdf/pdf-lib.ts";
import { formatNumber, layoutLine, metrics, type Typesetter } from "#lib/documents/typeset/fonts.ts";
import * as layout from "#lib/documents/typeset/mark-layout.ts";
import { type Box, boxOn, type Placement, pageBox } from "#lib/documents/typeset/page-box.ts";
import { padded, signatureTextOptions, textIn } from "#lib/documents/typeset/text-box.ts";

/** The content of a field. An image is a PNG from `cleanSignatureImage`, in base64. */
export type Mark = { text: string } | { typed: string } | { png: string } | { checked: boolean };

export interface StampedField extends Placement {
  pageIndex: number;
  mark: Mark;
  /** Paints over the document's text there: the tag that this field replaces. */
  covers?: boolean;
  /** Printed below a signature if there is room. */
  caption?: string;
}

/** Images by their bytes, so that a signature used on every page is embedded once. */
export class Images {
  readonly #pdf: PDFDocument;
  readonly #known = new Map<string, Promise<PDFImage>>();

  constructor(pdf: PDFDocument) {
    this.#pdf = pdf;
  }

  of(png: string): Promise<PDFImage> {
    const image = this.#known.get(png) ?? this.#pdf.embedPng(Buffer.from(png, "base64"));
    this.#known.set(png, image);
    return image;
  }
}

interface StampContext {
  page: ReturnType<PDFDocument["getPage"]>;
  type: Typesetter;
  images: Images;
  /** User space units per point. */
  unit: number;
}

export async function stampFields(
  pdf: PDFDocument,
  fields: StampedField[],
  { type, images }: Pick<StampContext, "type" | "images">,
): Promise<void> {
  const pages = pdf.getPages();
  for (const [index, onPage] of Map.groupBy(fields, ({ pageIndex }) => pageIndex)) {
    const page = pages[index];
    if (!page) throw new RangeError(`A field is on page ${index + 1}, and the document has ${pages.length}.`);
    const view = pageBox(page);
    const ink = { page, type, images, unit: view.unitsPerPoint };
    const drawn: string[] = [];
    for (const field of onPage) drawn.push(await fieldContent(ink, field, boxOn(view, field)));
    drawOver(page, [view.enter, ...drawn].join("\n"));
  }
}

const black = "0 0 0 rg";
const ink = `${layout.ink.join(" ")} rg`;
const gray = "0.4 0.4 0.45";

async function fieldContent(on: StampContext, field: StampedField, box: Box): Promise<string> {
  const content = await markContent(on, field, box);
  if (!field.covers) return content;
  const area = [box.x, box.y, box.width, box.height].map(formatNumber).join(" ");
  return `1 1 1 rg ${area} re f\n${content}`;
}

async function markContent(on: StampContext, { mark, caption }: StampedField, box: Box): Promise<string> {
  if ("checked" in mark) return checkbox(mark.checked, box, on.unit);
  if ("text" in mark) {
    return `${black}\n${textIn(on.type, on.page, mark.text, padded(box, on.unit), { size: layout.text.size * on.unit })}`;
  }
  const { above, below } = splitForCaption(box, caption, on.unit);
  const drawn =
    "png" in mark
      ? await imageContent(on, mark.png, above)
      : `${ink}\n${textIn(on.type, on.page, mark.typed, above, signatureTextOptions(above))}`;
  return below ? `${drawn}\n${captionContent(on, caption!, below)}` : drawn;
}

/** Divides a box into the signature and, if it is high and wide enough, a strip for the caption. */
function splitForCaption(
  box: Box,
  caption: string | undefined,
  unit: number,
): { above: Box; below: Box | null } {
  const strip = caption ? layout.captionHeight(box, unit) : 0;
  if (strip === 0) return { above: box, below: null };
  return {
    above: { ...box, y: box.y + strip, height: box.height - strip },
    below: { ...box, height: strip },
  };
}

function captionContent({ type, page, unit }: StampContext, caption: string, box: Box): string {
  const line = layoutLine(caption);
  const size = Math.min(5 * unit, box.width / Math.max(line.width, 0.001));
  const rule = box.y + box.height;
  return [
    `${gray} RG ${formatNumber(0.4 * unit)} w ${formatNumber(box.x)} ${formatNumber(rule)} m ${formatNumber(box.x + box.width)} ${formatNumber(rule)} l S`,
    `${gray} rg`,
    type.show(page, line, { x: box.x, y: box.y + (box.height - metrics.ascent * size) / 2, size }),
  ].join("\n");
}

/** As large as it fits in proportion, aligned left. */
export async function imageContent(
  { page, images }: Omit<StampContext, "type" | "unit">,
  png: string,
  box: Box,
): Promise<string> {
  const embedded = await images.of(png);
  const scale = Math.min(box.width / embedded.width, box.height / embedded.height);
  const [width, height] = [embedded.width * scale, embedded.height * scale];
  const matrix = [width, 0, 0, height, box.x, box.y + (box.height - height) / 2];
  return `q ${matrix.map(formatNumber).join(" ")} cm /${resourceName(page, "XObject", embedded.ref)} Do Q`;
}

function checkbox(isChecked: boolean, box: Box, unit: number): string {
  const { line, tickLine, tick } = layout.checkbox;
  const side = layout.checkbox.side(box, unit);
  const [x, y] = [box.x + (box.width - side) / 2, box.y + (box.height - side) / 2];
  const at = (u: number, v: number) => `${formatNumber(x + u * side)} ${formatNumber(y + v * side)}`;
  const square = `0 0 0 RG ${formatNumber(line * unit)} w ${at(0, 0)} ${formatNumber(side)} ${formatNumber(side)} re S`;
  if (!isChecked) return square;
  const [start, corner, end] = tick;
  return `${square}\n${formatNumber(side * tickLine)} w 1 J 1 j ${at(...start)} m ${at(...corner)} l ${at(...end)} l S`;
}
