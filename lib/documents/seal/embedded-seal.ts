/** The seal in an untrusted PDF: where it is, what it covers and what it contains. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFString,
} from "#lib/documents/pdf/pdf-lib.ts";
import { Evidence } from "./evidence.ts";

export const key = (text: string) => PDFName.of(text);

export class NotSealed extends Error {}

/** The only signature of a document. Earlier signatures in an uploaded file are removed before sealing. */
export async function findSeal(bytes: Buffer): Promise<PDFDict> {
  if (bytes.toString("latin1", 0, 5) !== "%PDF-") throw new NotSealed("The file is not a PDF.");
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const signatures = pdf.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object) => object instanceof PDFDict && object.has(key("ByteRange")));
  const form = pdf.catalog.lookup(key("AcroForm"));
  const fields = form instanceof PDFDict ? form.lookup(key("Fields")) : undefined;
  const field = fields instanceof PDFArray && fields.size() === 1 ? fields.lookup(0) : undefined;
  const value = field instanceof PDFDict ? field.lookup(key("V")) : undefined;
  if (signatures.length === 0) throw new NotSealed("The PDF carries no seal.");
  if (signatures.length > 1) {
    throw new NotSealed(
      `The PDF carries ${signatures.length} signatures; a document sealed here carries one.`,
    );
  }
  if (!(value instanceof PDFDict) || value !== signatures[0]) {
    throw new NotSealed("The PDF carries a signature that is not in its one signature field.");
  }
  return value;
}

/**
 * What the byte range leaves out. It must be exactly the seal's /Contents from `<` to `>`, where the file itself has
 * it: any other range would hide bytes from the seal.
 */
export function gapOf(bytes: Buffer, seal: PDFDict): { start: number; end: number } | string {
  const range = seal.lookup(key("ByteRange"));
  const parts = range instanceof PDFArray ? range.asArray() : [];
  const numbers = parts.map((one) => (one instanceof PDFNumber ? one.asNumber() : Number.NaN));
  const [from, start, end, rest] = numbers as [number, number, number, number];
  const isRange = numbers.length === 4 && numbers.every(Number.isSafeInteger);
  if (!isRange || from !== 0 || start < 1 || end <= start || rest < 1) {
    return "The seal does not state what it covers as it must.";
  }
  if (end + rest < bytes.length) return `Bytes were appended after the seal: ${bytes.length - end - rest}.`;
  if (end + rest > bytes.length) return "The file is shorter than what was sealed.";
  const hex = bytes.toString("latin1", start, end);
  if (!/^<(?:[0-9a-f]{2})+>$/.test(hex)) return "The seal leaves out more than itself.";
  const before = bytes.toString("latin1", Math.max(0, start - 240), start);
  const written = `/ByteRange\\s*\\[\\s*0\\s+${start}\\s+${end}\\s+${rest}\\s*\\]\\s*/Contents\\s*$`;
  const contents = seal.lookup(key("Contents"));
  const isHere = contents instanceof PDFHexString && contents.toString() === hex;
  if (!new RegExp(written).test(before) || !isHere) return "The seal is not where the file says it is.";
  return { start, end };
}

export function claimedTime(seal: PDFDict): Date | null {
  const time = seal.lookup(key("M"));
  return time instanceof PDFString ? (tryOrNull(() => time.decodeDate()) ?? null) : null;
}

export function evidenceIn(seal: PDFDict): Evidence | null {
  return tryOrNull(() => {
    const file = seal.lookup(key("CSGN_Evidence"), PDFDict).lookup(key("EF"), PDFDict).lookup(key("F"));
    if (!(file instanceof PDFRawStream)) return null;
    const text = Buffer.from(decodePDFRawStream(file).decode()).toString("utf8");
    return Evidence.parse(JSON.parse(text));
  });
}

/** Errors thrown on damaged input carry no more information than that it is damaged. */
export function tryOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
