/** Documents to seal, and the evidence of who signed them. */
import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { PNG } from "pngjs";
import { newId } from "#lib/core/ids.ts";
import { PDFDocument, StandardFonts } from "#lib/documents/pdf/pdf-lib.ts";
import type { EvidenceEvent, EvidenceSigner, UnsealedEvidence } from "#lib/documents/seal/evidence.ts";
import { type SealedDocument, type SealOptions, sealDocument } from "#lib/documents/seal/seal.ts";
import type { SealedField } from "#lib/documents/seal/seal-pages.ts";
import { createSigningKey, type SealingKey } from "#lib/documents/seal/signing-key.ts";
import { hashOfEvent } from "#lib/signatures/chain.ts";

export async function contractPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595.28, 841.89]);
    page.drawText(`Master services agreement, page ${number}`, { x: 60, y: 770, size: 16, font });
    for (let line = 0; line < 44; line++) {
      const text = `${number}.${line + 1}  The provider performs the services with the care of a prudent business.`;
      page.drawText(text, { x: 60, y: 735 - line * 15, size: 10, font });
    }
  }
  return pdf.save();
}

export const people = [
  "Ελένη Παπαδοπούλου",
  "김민준",
  "王小明",
  "Łukasz Żółć",
  "Дмитрий Нгуен",
  "محمد عبد الله",
];

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 9, minutes)).toISOString();

export function signerNamed(name: string, index: number): EvidenceSigner {
  return {
    id: newId("signer"),
    name,
    email: `signer${index + 1}@northwind.example`,
    party: index === 0 ? "ORG_USER" : "COUNTERPARTY_CONTACT",
    orderIndex: index,
    status: "SIGNED",
    viewedAt: at(10 * index + 1),
    consentAt: at(10 * index + 2),
    consentSha256: hash("sha256", "consent"),
    signedAt: at(10 * index + 5),
    signedName: name,
    ipAddress: "2001:db8::7334",
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1",
    verifiedBy: index % 2 === 0 ? "EMAIL_LINK" : "EMAIL_CODE",
    delegatedTo: null,
    delegatedFrom: null,
  };
}

/** Shared by all tests: the program that seals for a workspace starts once, and takes a second to start. */
const organizationId = newId("organization");

export function evidenceOf(pdf: Uint8Array, names = people.slice(0, 2)): UnsealedEvidence {
  const signers = names.map(signerNamed);
  const sha256 = hash("sha256", pdf);
  const envelopeId = newId("envelope");
  return {
    version: 1,
    organization: { id: organizationId, name: "Northwind Traders Ltd" },
    envelope: {
      id: envelopeId,
      contractId: newId("contract"),
      title: "Master services agreement between Northwind Traders and Contoso",
      sentAt: at(0),
      sentBy: { name: "Dana Whitfield", email: "dana@northwind.example" },
      completedAt: at(59),
    },
    document: {
      versionId: newId("version"),
      fileName: "master-services-agreement.pdf",
      sha256,
      pdfSha256: sha256,
    },
    signers,
    events: eventsOf({ organizationId, envelopeId }, signers),
    checkpoint: { seq: "1042", hash: hash("sha256", "head"), at: at(59) },
  };
}

type Request = Record<"organizationId" | "envelopeId", string>;

function eventsOf(request: Request, signers: EvidenceSigner[]): EvidenceEvent[] {
  let prevHash: string | null = null;
  let number = 0;
  const sender = {
    kind: "USER",
    id: newId("user"),
    name: "Dana Whitfield",
    email: "dana@northwind.example",
  };
  const event = (type: string, minute: number, signer?: EvidenceSigner): EvidenceEvent => {
    const actor = signer ? { kind: "SIGNER", id: signer.id, name: signer.name, email: signer.email } : sender;
    const said = {
      id: newId("signingEvent"),
      type,
      signerId: signer?.id ?? null,
      ipAddress: signer?.ipAddress ?? "203.0.113.9",
      userAgent: signer?.userAgent ?? null,
      details: null,
    };
    const link = {
      ...request,
      ...said,
      number: ++number,
      actor: JSON.stringify(actor),
      createdAt: at(minute),
    };
    const made: EvidenceEvent = {
      ...said,
      at: at(minute),
      actor,
      prevHash,
      hash: hashOfEvent(link, prevHash),
    };
    prevHash = made.hash;
    return made;
  };
  return [
    event("CREATED", 0),
    event("SENT", 0),
    ...signers.flatMap((signer, index) => [
      event("VIEWED", 10 * index + 1, signer),
      event("CONSENTED", 10 * index + 2, signer),
      event("SIGNED", 10 * index + 5, signer),
    ]),
  ];
}

/** Returns a signature field for each signer on a page, and a few other fields. */
export function fieldsFor({ signers }: UnsealedEvidence, pageIndex: number): SealedField[] {
  return signers.flatMap(({ id, name }, index) => {
    const place = { pageIndex, xPct: 10 + 28 * (index % 3), yPct: 40 + 16 * Math.floor(index / 3) };
    const mark = index % 2 === 0 ? { typed: name } : { png: scribble() };
    return [
      { ...place, signerId: id, wPct: 25, hPct: 7, mark },
      { ...place, signerId: id, yPct: place.yPct + 8, wPct: 25, hPct: 2.2, mark: { text: name } },
      {
        ...place,
        signerId: id,
        yPct: place.yPct + 10.5,
        wPct: 3,
        hPct: 2,
        mark: { checked: index % 2 === 0 },
      },
    ];
  });
}

/** Returns a wave, black on transparent, as a PNG in base64. */
export function scribble(width = 300, height = 90): string {
  const rgba = Buffer.alloc(height * width * 4);
  for (let x = 0; x < width; x++) {
    const middle = height / 2 + Math.sin(x / 14) * (height / 3) * Math.cos(x / 70);
    for (
      let y = Math.max(0, Math.round(middle) - 2);
      y <= Math.min(height - 1, Math.round(middle) + 2);
      y++
    ) {
      rgba.set([10, 20, 80, 255], (y * width + x) * 4);
    }
  }
  return png(width, height, rgba).toString("base64");
}

/** Encodes eight-bit RGBA as a PNG. */
export function png(width: number, height: number, rgba: Buffer): Buffer {
  const image = new PNG({ width, height });
  image.data = rgba;
  return PNG.sync.write(image);
}

let key: SealingKey | undefined;

/** Shared by all tests that do not inspect it. */
export function sealingKey(): SealingKey {
  key ??= createSigningKey({
    organizationId,
    organizationName: "Northwind Traders Ltd",
  });
  return key;
}

/** Seals a document with some pages, signed by some people. */
export async function sealed(
  path: string,
  {
    pages = 2,
    names = people.slice(0, 2),
    ...options
  }: SealOptions & { pages?: number; names?: string[] } = {},
): Promise<SealedDocument> {
  const pdf = await contractPdf(pages);
  await writeFile(path, pdf);
  const evidence = evidenceOf(pdf, names);
  return sealDocument({ path, evidence, fields: fieldsFor(evidence, pages - 1) }, sealingKey(), options);
}
