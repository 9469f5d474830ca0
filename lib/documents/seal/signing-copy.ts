/**
 * The PDF of a document that is sent for signature: frozen (lib/documents/freeze/freeze.ts), written by one program, and proved
 * to be one that can be sealed by sealing it on trial. Signers are shown these bytes, and these are sealed. Runs in
 * the limited child.
 */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PDFDocument } from "@cantoo/pdf-lib";
import { freeze } from "#lib/documents/freeze/freeze.ts";
import { Unfit } from "#lib/documents/sandbox/unfit.ts";
import { countPages, textOfPages } from "#lib/documents/text/text.ts";
import { Typesetter } from "#lib/documents/typeset/fonts.ts";
import type { UnsealedEvidence } from "./evidence.ts";
import { type SealedField, sealBytes } from "./seal-pages.ts";

/** `notes` and `problem` read after "the document". */
export type SigningCopy = { bytes: string; notes: string[] } | { problem: string };

export async function makeSigningCopy({ path }: { path: string }): Promise<SigningCopy> {
  const original = await readFile(path);
  try {
    const { bytes, notes } = await frozen(original);
    await compareReadings(original);
    await sealOnTrial(bytes);
    return { bytes: Buffer.from(bytes).toString("base64"), notes };
  } catch (error) {
    if (error instanceof Unfit) return { problem: error.message };
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
 * What the sender was shown until now was read by pdf.js, which follows a file's table of objects; what is sealed,
 * by pdf-lib, which takes the last object of each number. An honest file says the same to both.
 */
async function compareReadings(original: Uint8Array): Promise<void> {
  const shown = await textOfPages(original);
  const read = await textOfPages(await save(await load(original)));
  const differing = shown.findIndex((text, index) => text !== read[index]);
  if (differing < 0 && shown.length === read.length) return;
  const where = differing < 0 ? "has pages" : `has a page ${differing + 1}`;
  throw new Unfit(`${where} that programs read differently; print it to a new PDF`);
}

const nobody = { name: "Trial", email: "trial@localhost" };
const trialSigner = "sgn_trial";

/** Each page gets what signers can put on one. */
async function sealOnTrial(bytes: Uint8Array): Promise<void> {
  const pageCount = (await load(bytes)).getPageCount();
  const at = new Date(0).toISOString();
  const place = { signerId: trialSigner, xPct: 10, wPct: 30, hPct: 5 };
  const fields = Array.from({ length: pageCount }, (_, pageIndex): SealedField[] => [
    { ...place, pageIndex, yPct: 10, mark: { typed: nobody.name } },
    { ...place, pageIndex, yPct: 20, mark: { text: nobody.name } },
    { ...place, pageIndex, yPct: 30, mark: { checked: true } },
  ]).flat();
  const sealed = await sealBytes(bytes, {
    evidence: evidence(at),
    fields,
    verifyUrl: null,
    sealedWith: { name: nobody.name, fingerprint: hash("sha256", "") },
    at,
    sealBytes: 1024,
  });
  const pages = await countPages(Buffer.from(sealed.bytes, "base64"));
  if (pages === pageCount + sealed.certificatePages) return;
  throw new Unfit("cannot be sealed: not all of its pages can be read again. Print it to a new PDF");
}

function evidence(at: string): UnsealedEvidence {
  const sha256 = hash("sha256", "");
  return {
    version: 1,
    organization: { id: "org_trial", name: nobody.name },
    envelope: {
      id: "env_trial",
      contractId: "ctr_trial",
      title: nobody.name,
      sentAt: at,
      sentBy: nobody,
      completedAt: at,
    },
    document: { versionId: "ver_trial", fileName: "trial.pdf", sha256, pdfSha256: sha256 },
    signers: [
      {
        ...{
          id: trialSigner,
          ...nobody,
          party: "EXTERNAL",
          orderIndex: 0,
          status: "SIGNED",
          verifiedBy: "EMAIL_LINK",
        },
        ...{ viewedAt: at, consentAt: at, consentSha256: sha256, signedAt: at, signedName: nobody.name },
        ...{ ipAddress: null, userAgent: null, delegatedTo: null, delegatedFrom: null },
      },
    ],
    events: [],
    checkpoint: null,
  };
}
