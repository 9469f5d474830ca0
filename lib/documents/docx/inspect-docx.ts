/** Checks that a DOCX is a complete document and harmless: its archive, its parts, their XML. */
import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";
import {
  mainPartOf,
  type Relation,
  refuseMissing,
  relationReader,
  relationsPartOf,
  type TextReferences,
  textReferenceReader,
} from "./relations.ts";
import { xmlReader } from "./xml.ts";

const expandedLimitBytes = 500 * 1024 * 1024;
const ratioLimit = 100;
const partsLimit = 10_000;

/** Word on the web adds a number. */
const mainPart = /^word\/document\d*\.xml$/;

/** What was read from the parts so far, by part name in lower case. */
interface Contents {
  names: Set<string>;
  relations: Map<string, Relation[]>;
  needs: Map<string, TextReferences>;
}

export async function inspectDocx(file: string | Buffer): Promise<void> {
  const isPath = typeof file === "string";
  const size = isPath ? (await stat(file)).size : file.length;
  refusePdfInside(isPath ? await beginningOf(file) : file.subarray(0, pdfHeaderWithin));
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
  const opening = isPath ? openPromise(file, options) : fromBufferPromise(file, options);
  const zip = await opening.catch((error) => {
    throw broken(error);
  });
  const limit = Math.min(expandedLimitBytes, size * ratioLimit);
  const contents: Contents = { names: new Set(), relations: new Map(), needs: new Map() };
  const entries: Entry[] = [];
  try {
    let said = 0;
    for await (const entry of zip.eachEntry()) {
      refuseEntry(entry, contents.names);
      said += entry.uncompressedSize;
      refuseGrowth(said, limit);
      entries.push(entry);
    }
    let expanded = 0;
    for (const entry of entries) expanded = await readEntry(zip, entry, expanded, limit, contents);
  } catch (error) {
    throw error instanceof UnacceptableFile ? error : broken(error);
  } finally {
    zip.close();
  }
  refuseIncomplete(contents);
}

function refuseIncomplete({ names, relations, needs }: Contents): void {
  if (!names.has("[content_types].xml") || ![...names].some((name) => mainPart.test(name))) {
    throw new UnacceptableFile("is a ZIP archive but not a DOCX: word/document.xml is missing");
  }
  const main = mainPartOf(relations.get("_rels/.rels") ?? []);
  if (!main || !names.has(main)) {
    throw new UnacceptableFile(
      "is damaged: nothing in it leads to its document; repair it in Word and save it again",
    );
  }
  const none = { ids: new Set<string>(), kinds: new Set<string>() };
  refuseMissing(relations.get(relationsPartOf(main)) ?? [], needs.get(main) ?? none, names);
}

const pdfHeaderWithin = 1024;

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(pdfHeaderWithin), 0, pdfHeaderWithin, 0);
  await file.close();
  return buffer.subarray(0, bytesRead);
}

/** A file can be both: PDF readers look for their header in the first kilobyte, ZIP readers start from the end. */
function refusePdfInside(beginning: Buffer): void {
  if (beginning.includes("%PDF-")) {
    throw new UnacceptableFile("is a DOCX and a PDF in one file; send one that is only one of them");
  }
}

/** Translates yauzl's errors about broken archives for people. */
function broken(error: unknown): UnacceptableFile {
  const { message = "" } = error as Error;
  if (/relative path|absolute path|invalid characters/.test(message)) {
    return new UnacceptableFile("refers to a part outside of itself");
  }
  if (/too many bytes|not enough bytes/.test(message))
    return new UnacceptableFile("declares a wrong size for one of its parts");
  return new UnacceptableFile("is broken: it cannot be read as a DOCX");
}

function refuseEntry(entry: Entry, names: Set<string>): void {
  const name = entry.fileName.toLowerCase();
  if (entry.isEncrypted()) throw new UnacceptableFile("is encrypted: send it without a password");
  if (names.has(name)) throw new UnacceptableFile("has two parts with the same name");
  if (names.size >= partsLimit)
    throw new UnacceptableFile(`has more than ${partsLimit.toLocaleString("en-US")} parts`);
  if (/(^|\/)vba(project|data)/.test(name))
    throw new UnacceptableFile("holds macros: save it without them, as .docx");
  names.add(name);
}

function refuseGrowth(expanded: number, limit: number): void {
  if (expanded <= limit) return;
  throw new UnacceptableFile("expands to more than 500 MB, or to more than a hundred times its size");
}

/** Expands a part, the only way to know its size; returns the total so far. */
async function readEntry(
  zip: ZipFile,
  entry: Entry,
  before: number,
  limit: number,
  contents: Contents,
): Promise<number> {
  let expanded = before;
  let checksum = 0;
  const { fileName } = entry;
  const readers = /\.(xml|rels)$/i.test(fileName) ? [scanner(fileName), structure(fileName, contents)] : [];
  const stream: Readable = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    expanded += chunk.length;
    refuseGrowth(expanded, limit);
    checksum = crc32(chunk, checksum);
    for (const { push } of readers) push(chunk);
  }
  if (checksum !== entry.crc32) {
    throw new UnacceptableFile(
      `is damaged: its part ${fileName} is not as it was packed; send the file again`,
    );
  }
  for (const { finish } of readers) finish?.();
  return expanded;
}

/** Parses a part as XML, and records its references to other parts. */
function structure(fileName: string, { relations, needs }: Contents) {
  const name = fileName.toLowerCase();
  if (name.endsWith(".rels")) {
    const found: Relation[] = [];
    relations.set(name, found);
    return xmlReader(fileName, relationReader(name, found));
  }
  if (!mainPart.test(name)) return xmlReader(fileName);
  const found: TextReferences = { ids: new Set(), kinds: new Set() };
  needs.set(name, found);
  return xmlReader(fileName, textReferenceReader(found));
}

/** Rejects document types (DTDs), which Office never writes and which could name files or expand without end. */
function scanner(name: string): { push(chunk: Buffer): void; finish?(): void } {
  let tail = "";
  const isTypes = name.toLowerCase() === "[content_types].xml";
  const push = (chunk: Buffer) => {
    // Decoded as Latin-1 without NULs, UTF-16 reads like ASCII.
    const text = tail + chunk.toString("latin1").replaceAll("\0", "");
    if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
      throw new UnacceptableFile("holds XML with a document type (DTD), which DOCX files do not have");
    }
    if (isTypes && /macroEnabled/i.test(text)) {
      throw new UnacceptableFile("holds macros: save it without them, as .docx");
    }
    tail = text.slice(-16);
  };
  return { push };
}
