/** Whether a DOCX is a document and no trap: its archive, its parts, the XML in them. */
import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { Unfit } from "./unfit.ts";

export const expandedLimitBytes = 500 * 1024 * 1024;
export const ratioLimit = 100;
const partsLimit = 10_000;

const mainPart = "word/document.xml";

export async function inspectDocx(path: string): Promise<void> {
  const { size } = await stat(path);
  await refusePdfInside(path);
  const zip = await openPromise(path, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: true,
  }).catch((error) => {
    throw broken(error);
  });
  const limit = Math.min(expandedLimitBytes, size * ratioLimit);
  const names = new Set<string>();
  const entries: Entry[] = [];
  try {
    let said = 0;
    for await (const entry of zip.eachEntry()) {
      refuseEntry(entry, names);
      said += entry.uncompressedSize;
      refuseGrowth(said, limit);
      entries.push(entry);
    }
    let expanded = 0;
    for (const entry of entries) expanded = await readEntry(zip, entry, expanded, limit);
  } catch (error) {
    throw error instanceof Unfit ? error : broken(error);
  } finally {
    zip.close();
  }
  if (!names.has("[content_types].xml") || !names.has(mainPart)) {
    throw new Unfit(`is a ZIP archive but no DOCX: ${mainPart} is missing`);
  }
}

/** PDF readers look for their header in the first kilobyte, ZIP readers for theirs from the end. */
async function refusePdfInside(path: string): Promise<void> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
  await file.close();
  if (buffer.subarray(0, bytesRead).includes("%PDF-")) {
    throw new Unfit("is a DOCX and a PDF in one file; send one that is only one of them");
  }
}

/** What yauzl says of an archive that breaks the format's rules, for people. */
function broken(error: unknown): Unfit {
  const { message = "" } = error as Error;
  if (/relative path|absolute path|invalid characters/.test(message)) {
    return new Unfit("names a part outside of itself");
  }
  if (/too many bytes|not enough bytes/.test(message)) return new Unfit("lies about the size of a part");
  return new Unfit("is broken: it cannot be read as a DOCX");
}

function refuseEntry(entry: Entry, names: Set<string>): void {
  const name = entry.fileName.toLowerCase();
  if (entry.isEncrypted()) throw new Unfit("is encrypted: send it without a password");
  if (names.has(name)) throw new Unfit("has two parts of one name");
  if (names.size >= partsLimit) throw new Unfit(`has more than ${partsLimit.toLocaleString("en-US")} parts`);
  if (/(^|\/)vba(project|data)/.test(name)) throw new Unfit("holds macros: save it without them, as .docx");
  names.add(name);
}

function refuseGrowth(expanded: number, limit: number): void {
  if (expanded <= limit) return;
  throw new Unfit("expands to more than 500 MB, or to more than a hundred times its size");
}

/** Every part is expanded, since only that tells its size; the answer is how much it is so far. */
async function readEntry(zip: ZipFile, entry: Entry, before: number, limit: number): Promise<number> {
  let expanded = before;
  const isXml = /\.(xml|rels)$/i.test(entry.fileName);
  const scan = isXml ? scanner(entry.fileName) : null;
  const stream: Readable = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    expanded += chunk.length;
    refuseGrowth(expanded, limit);
    scan?.(chunk);
  }
  return expanded;
}

/** Office never writes a document type; what it could do is name files and grow without end. */
function scanner(name: string): (chunk: Buffer) => void {
  let tail = "";
  const isTypes = name.toLowerCase() === "[content_types].xml";
  return (chunk) => {
    // Without NULs and in one byte a letter, UTF-16 reads like ASCII.
    const text = tail + chunk.toString("latin1").replaceAll("\0", "");
    if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
      throw new Unfit("holds XML with a document type (DTD), which DOCX files do not have");
    }
    if (isTypes && /macroEnabled/i.test(text)) {
      throw new Unfit("holds macros: save it without them, as .docx");
    }
    tail = text.slice(-16);
  };
}
