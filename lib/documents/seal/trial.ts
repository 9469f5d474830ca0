/** Seals a document on trial, with made-up signers and evidence: to see whether it can be sealed, and to warm up. */
import { hash } from "node:crypto";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import type { UnsealedEvidence } from "./evidence.ts";
import { type SealedField, type SealedPages, sealBytes } from "./seal-pages.ts";

const trialPerson = { name: "Trial", email: "trial@localhost" };
const trialSigner = "sgn_trial";

/** Every page gets a typed signature, a text and a checkbox, as signers may add. */
export async function sealTrial(bytes: Uint8Array, pageCount: number): Promise<SealedPages> {
  const at = new Date(0).toISOString();
  const place = { signerId: trialSigner, xPct: 10, wPct: 30, hPct: 5 };
  const fields = Array.from({ length: pageCount }, (_, pageIndex): SealedField[] => [
    { ...place, pageIndex, yPct: 10, mark: { typed: trialPerson.name } },
    { ...place, pageIndex, yPct: 20, mark: { text: trialPerson.name } },
    { ...place, pageIndex, yPct: 30, mark: { checked: true } },
  ]).flat();
  return sealBytes(bytes, {
    evidence: evidence(at),
    fields,
    verifyUrl: null,
    sealedWith: { name: trialPerson.name, fingerprint: hash("sha256", "") },
    at,
    sealBytes: 1024,
  });
}

/** Seals a blank page, so that fonts are loaded and the code has run once before anyone waits for it. */
export async function warmUp(): Promise<void> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  await sealTrial(await pdf.save(), 1);
}

function evidence(at: string): UnsealedEvidence {
  const sha256 = hash("sha256", "");
  return {
    version: 1,
    organization: { id: "org_trial", name: trialPerson.name },
    envelope: {
      id: "env_trial",
      contractId: "ctr_trial",
      title: trialPerson.name,
      sentAt: at,
      sentBy: trialPerson,
      completedAt: at,
    },
    document: { versionId: "ver_trial", fileName: "trial.pdf", sha256, pdfSha256: sha256 },
    signers: [
      {
        ...{
          id: trialSigner,
          ...trialPerson,
          party: "EXTERNAL",
          orderIndex: 0,
          status: "SIGNED",
          verifiedBy: "EMAIL_LINK",
        },
        ...{ viewedAt: at, consentAt: at, consentSha256: sha256, signedAt: at, signedName: trialPerson.name },
        ...{ ipAddress: null, userAgent: null, delegatedTo: null, delegatedFrom: null },
      },
    ],
    events: [],
    checkpoint: null,
  };
}
