/**
 * The PDF of a document that is sent for signature: frozen (lib/documents/freeze/freeze.ts), written by one program,
 * and proved sealable by a trial seal. Signers are shown these bytes, and these bytes are sealed. Runs in the
 * sandboxed child.
 */
import { readFile } from "node:fs/promises";
import { freeze } from "#lib/documents/freeze/freeze.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";
import { countPages } from "#lib/documents/text/text.ts";
import { Typesetter } from "#lib/documents/typeset/fonts.ts";
import { areSameDocument } from "./readings.ts";
import { sealTrial } from "./trial.ts";

/** `notes` and `problem` continue a sentence that begins with "the document". */
export type SigningCopy = { bytes: Uint8Array; notes: string[] } | { problem: string };

/** The same for a file's path; the bytes are returned in base64. */
export async function createSigningCopy({ path }: { path: string }) {
  const made = await signingCopyOfBytes({ bytes: await readFile(path) });
  return "problem" in made ? made : { ...made, bytes: Buffer.from(made.bytes).toString("base64") };
}

export async function signingCopyOfBytes({ bytes: original }: { bytes: Uint8Array }): Promise<SigningCopy> {
  try {
    const { bytes, notes } = await frozen(original);
    await compareReadings(original);
    await sealOnTrial(bytes);
    return { bytes, notes };
  } catch (error) {
    if (error instanceof UnacceptableFile) return { problem: error.message };
    const detail =
      error instanceof RangeError ? "it is nested too deeply" : "a part of it is not as it has to be";
    return { problem: `cannot be sealed, because it is broken: ${detail}. Print it to a new PDF` };
  }
}

const load = (bytes: Uint8Array) => PDFDocument.load(bytes, { updateMetadata: false });
const save = (pdf: PDFDocument) => pdf.save({ addDefaultPage: false, updateFieldAppearances: false });

async function frozen(original: Uint8Array) {
  const pdf = await load(original);
  const type = new Typesetter(pdf);
  const notes = freeze(pdf, type);
  await type.embed();
  return { bytes: await save(pdf), notes };
}

/**
 * What the sender has seen so far was read by pdf.js, which follows a file's table of objects; what is sealed is read
 * by pdf-lib, which takes the last object of each number. For an honest file both agree.
 */
async function compareReadings(original: Uint8Array): Promise<void> {
  if (await areSameDocument(original, await save(await load(original)))) return;
  throw new UnacceptableFile("cannot be sealed, because programs read it differently. Print it to a new PDF");
}

/** Every page gets the kinds of marks that signers may add. */
async function sealOnTrial(bytes: Uint8Array): Promise<void> {
  const pageCount = (await load(bytes)).getPageCount();
  const sealed = await sealTrial(bytes, pageCount);
  const pages = await countPages(sealed.bytes);
  if (pages === pageCount + sealed.certificatePages) return;
  throw new UnacceptableFile(
    "cannot be sealed: not all of its pages can be read again. Print it to a new PDF",
  );
}
