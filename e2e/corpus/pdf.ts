/** PDFs that no software would write, built object by object. */
import { constants, deflateRawSync } from "node:zlib";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";

export type Part = string | Buffer;

/** A file of these objects, numbered from 1; the first is the catalog. */
export function pdfOf(objects: Part[], { trailer = "" } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (part: Part) => {
    const bytes = Buffer.from(part as string);
    parts.push(bytes);
    length += bytes.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    add(`${index + 1} 0 obj\n`);
    add(object);
    add("\nendobj\n");
  });
  const at = length;
  const rows = offsets.map(rowOf);
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`);
  add(`trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`);
  return Buffer.concat(parts);
}

const rowOf = (offset: number) => `${String(offset).padStart(10, "0")} 00000 n \n`;

/** Returns a file's objects, and the position of its table. */
export function withoutTable(file: Buffer) {
  const at = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(file.toString("latin1"))![1]);
  return { objects: file.subarray(0, at), table: file.subarray(at).toString("latin1"), at };
}

/** Appends an object to a file. */
export const withObject = (file: Buffer, number: number, part: Part): Buffer =>
  Buffer.concat([
    file,
    Buffer.from(`${number} 0 obj\n`),
    Buffer.from(part as string),
    Buffer.from("\nendobj\n"),
  ]);

/** Appends a revision with new versions of some objects, or with objects deleted (null). */
export function revised(first: Buffer, objects: Record<number, Part | null>, { prev = true } = {}): Buffer {
  let bytes = first;
  let rows = "";
  for (const [number, part] of Object.entries(objects)) {
    rows += `${number} 1\n${part === null ? "0000000000 00001 f \n" : rowOf(bytes.length)}`;
    if (part !== null) bytes = withObject(bytes, Number(number), part);
  }
  const before = prev ? `/Prev ${withoutTable(first).at}` : "";
  const trailer = `trailer\n<</Size 20/Root 1 0 R${before}>>\nstartxref\n${bytes.length}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(`xref\n${rows}${trailer}`)]);
}

/** A cross-reference table as a stream: the position of each object. */
export function tableStream(offsets: Record<number, number>, more = ""): Buffer {
  const rows = Object.values(offsets).map((offset) => {
    const row = Buffer.from([1, 0, 0, 0, 0, 0]);
    row.writeUInt32BE(offset, 1);
    return row;
  });
  const index = Object.keys(offsets).map((number) => `${number} 1`);
  return streamOf(
    Buffer.concat(rows),
    `/Type/XRef/Size 20/Root 1 0 R/W[1 4 1]/Index[${index.join(" ")}]${more}`,
  );
}

export const catalog = "<</Type/Catalog/Pages 2 0 R>>";
const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>";

/** A page tree with the given page count, over these pages. */
export const pagesOf = (count: number | string, kids: number[]) =>
  `<</Type/Pages/Count ${count}/Kids[${kids.map((kid) => `${kid} 0 R`).join(" ")}]>>`;

export const streamOf = (bytes: Buffer, dictionary: string): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);

/** A valid PDF; a different `mark` makes a different file. */
export function simplePdf(mark = "", pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => index + 3);
  return pdfOf([catalog, pagesOf(pages, kids), ...kids.map(() => page), `(${mark})`]);
}

/** A valid PDF of exactly that many bytes, most of them in a stream, as with pictures. */
export function pdfOfSize(bytes: number, mark = ""): Buffer {
  const padding = (length: number) =>
    pdfOf([catalog, pagesOf(1, [3]), page, `(${mark})`, streamOf(Buffer.alloc(length, mark || "x"), "")]);
  const around = padding(bytes - 1000).length - (bytes - 1000);
  return padding(bytes - around);
}

/** Deflated blanks, a thousandth of their size: the same megabyte repeatedly, never expanded in memory. */
export function blanks(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: megabytes }, () => block);
  return Buffer.concat([...blocks, Buffer.from([0x03, 0x00])]);
}

/** Wraps deflated data in zlib's header and checksum, as in PDFs. No reader gets as far as the checksum. */
export const inZlib = (deflated: Buffer) =>
  Buffer.concat([Buffer.from([0x78, 0xda]), deflated, Buffer.alloc(4)]);

export async function encryptedPdf(passwords: { userPassword?: string; ownerPassword: string }) {
  const document = await PDFDocument.create();
  document.addPage();
  await document.encrypt({ userPassword: "", ...passwords, permissions: { printing: false } });
  return Buffer.from(await document.save({ useObjectStreams: false }));
}
