/** Checks that a PDF can be shown, sent and sealed, and counts its pages. */
import { readFile } from "node:fs/promises";
import { getDocument, PasswordException } from "pdfjs-dist/legacy/build/pdf.mjs";
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
} from "#lib/documents/pdf/pdf-lib.ts";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";

const pageLimit = 2000;

/** Both libraries must read the same document: one shows it to signers, the other writes what they sign. */
export async function inspectPdf(file: string | Buffer): Promise<number> {
  const bytes = typeof file === "string" ? await readFile(file) : file;
  if (!bytes.subarray(-1024).includes("%%EOF")) {
    throw new UnacceptableFile("is cut off: a PDF ends with %%EOF, and this one does not");
  }
  if (endsAsZip(bytes)) {
    throw new UnacceptableFile("is a PDF and a ZIP archive in one file; send one that is only a PDF");
  }
  const shown = await pagesShown(bytes);
  refuseLong(shown);
  const written = await pagesWritten(bytes);
  if (written === 0) throw new UnacceptableFile("has no pages");
  if (shown !== written) throw miscounted(shown, written);
  return shown;
}

function refuseLong(pages: number): void {
  if (pages <= pageLimit) return;
  throw new UnacceptableFile(`has more than ${pageLimit.toLocaleString("en-US")} pages`);
}

/** Detects a ZIP's central directory before the end record, which ZIP readers look for from the end. */
function endsAsZip(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (at < 0 || at + 22 > bytes.length) return false;
  const directory = at - bytes.readUInt32LE(at + 12);
  return directory >= 0 && bytes.toString("latin1", directory, directory + 4) === "PK\x01\x02";
}

/** A signer who is shown fewer pages than are sealed would sign what they did not see. */
const miscounted = (said: number, has: number) =>
  new UnacceptableFile(`is broken: it says that it has ${said} pages, and has ${has}`);

const encrypted = () =>
  new UnacceptableFile("is encrypted: send it without a password and without restrictions");

async function pagesShown(bytes: Buffer): Promise<number> {
  const loading = getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
  });
  try {
    const document = await loading.promise;
    const { info } = await document.getMetadata();
    if ((info as { EncryptFilterName?: string | null }).EncryptFilterName) throw encrypted();
    return document.numPages;
  } catch (error) {
    if (error instanceof UnacceptableFile) throw error;
    if (error instanceof PasswordException) throw encrypted();
    throw broken(error);
  } finally {
    await loading.destroy();
  }
}

async function pagesWritten(bytes: Buffer): Promise<number> {
  try {
    const document = await PDFDocument.load(bytes, {
      parseSpeed: ParseSpeeds.Fastest,
      updateMetadata: false,
    });
    return countPages(document);
  } catch (error) {
    throw error instanceof UnacceptableFile ? error : broken(error);
  }
}

const broken = (error: unknown) => {
  const detail = error instanceof RangeError ? "it is nested too deeply" : "it cannot be read as a PDF";
  return new UnacceptableFile(`is broken: ${detail}`);
};

const kids = PDFName.of("Kids");

/** Walks the page tree, which in a hostile file may not be a tree. */
function countPages({ catalog, context }: PDFDocument): number {
  const seen = new Set<PDFObject>();
  const root = catalog.get(PDFName.of("Pages"));
  const open: (PDFObject | undefined)[] = [root];
  let pages = 0;
  while (open.length > 0) {
    const node = context.lookup(open.pop());
    if (!(node instanceof PDFDict)) throw new UnacceptableFile("is broken: a page is missing");
    const children = node.lookup(kids);
    if (!(children instanceof PDFArray)) {
      refuseLong(++pages);
      continue;
    }
    if (seen.has(node)) throw new UnacceptableFile("is broken: its pages contain each other");
    seen.add(node);
    open.push(...children.asArray());
    if (open.length > 100 * pageLimit) refuseLong(open.length);
  }
  const tree = context.lookup(root);
  const said = tree instanceof PDFDict ? tree.lookup(PDFName.of("Count")) : undefined;
  if (said instanceof PDFNumber && said.asNumber() !== pages) throw miscounted(said.asNumber(), pages);
  return pages;
}
