/**
 * Everything about a sealed document except the signature itself: stamps fields, adds certificate pages, embeds the
 * evidence, and adds an empty seal at a known place.
 */
import { hash, randomBytes } from "node:crypto";
import { freeze } from "#lib/documents/freeze/freeze.ts";
import {
  AFRelationship,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHeader,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFString,
} from "#lib/documents/pdf/pdf-lib.ts";
import { Images, type StampedField, stampFields } from "#lib/documents/stamp/stamp.ts";
import { Typesetter } from "#lib/documents/typeset/fonts.ts";
import { addCertificate } from "./certificate.ts";
import type { Evidence, UnsealedEvidence } from "./evidence.ts";
import type { CertificateSummary } from "./signing-key.ts";

export interface SealedField extends Omit<StampedField, "caption"> {
  signerId: string;
}

export interface SealInput {
  evidence: UnsealedEvidence;
  fields: SealedField[];
  /** Where anyone can verify the document, as printed on the certificate; null leaves it out. */
  verifyUrl: string | null;
  /** The certificate it is sealed with. */
  sealedWith: Pick<CertificateSummary, "name" | "fingerprint">;
  /** The time of sealing. */
  at: string;
  sealBytes: number;
}

export interface SealedPages {
  /** The document with an empty seal. */
  bytes: Uint8Array;
  /** Where the seal goes: from its `<` to after its `>`. */
  gap: [start: number, end: number];
  pageCount: number;
  certificatePages: number;
  stampedSha256: string;
}

const evidenceFile = "countersign-evidence.json";
const key = (text: string) => PDFName.of(text);

export async function sealBytes(bytes: Uint8Array, input: SealInput): Promise<SealedPages> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  return addAll(pdf, input);
}

async function addAll(pdf: PDFDocument, input: SealInput) {
  const { evidence: known, fields, verifyUrl, sealedWith, at, sealBytes } = input;
  describe(pdf, known.envelope.title, new Date(at));
  const images = new Images(pdf);
  await stamp(pdf, known, fields, images);
  const stampedSha256 = hash("sha256", await save(pdf), "hex");
  const evidence: Evidence = { ...known, document: { ...known.document, stampedSha256 } };
  const type = new Typesetter(pdf);
  const signatures = new Map(
    fields
      .filter(({ mark }) => "png" in mark || "typed" in mark)
      .sort((a, b) => size(b) - size(a))
      .map(({ signerId, mark }) => [signerId, mark] as const)
      .reverse(),
  );
  const certificatePages = await addCertificate(pdf, evidence, {
    type,
    images,
    signatures,
    verifyUrl,
    sealedWith,
  });
  await type.embed();
  const nonce = randomBytes(16).toString("hex");
  await embedEvidence(pdf, evidence, new Date(at));
  addEmptySeal(pdf, evidence, { at: new Date(at), contents: nonce.padEnd(2 * sealBytes, "0") });
  const { bytes, gap } = measure(await save(pdf), nonce, 2 * sealBytes);
  return {
    bytes,
    gap,
    pageCount: pdf.getPageCount(),
    certificatePages,
    stampedSha256,
  };
}

/** The certificate shows the largest of a signer's signatures: initials are smaller. */
const size = ({ wPct, hPct }: SealedField) => wPct * hPct;

async function stamp(
  pdf: PDFDocument,
  { envelope, signers }: UnsealedEvidence,
  fields: SealedField[],
  images: Images,
) {
  const type = new Typesetter(pdf);
  // Usually frozen before it was sent, but older releases sent documents unfrozen.
  freeze(pdf, type);
  const names = new Map(signers.map((signer) => [signer.id, signer.signedName ?? signer.name]));
  const captioned = fields.map((field) => ({
    ...field,
    caption: `${names.get(field.signerId) ?? ""} · ${envelope.id}`,
  }));
  await stampFields(pdf, captioned, { type, images });
  await type.embed();
}

function describe(pdf: PDFDocument, title: string, at: Date): void {
  if (!/^%PDF-(1\.7|2)/.test(pdf.context.header.toString())) pdf.context.header = PDFHeader.forVersion(1, 7);
  pdf.setTitle(pdf.getTitle()?.trim() || title, { showInWindowTitleBar: true });
  if (!pdf.catalog.has(key("Lang"))) pdf.setLanguage("en");
  pdf.setProducer("Countersign");
  pdf.setModificationDate(at);
}

/** Adds no claim of conformance, and keeps none that an attached file would break. */
const save = (pdf: PDFDocument) => pdf.save({ addDefaultPage: false, updateFieldAppearances: false });

async function embedEvidence(pdf: PDFDocument, evidence: Evidence, at: Date): Promise<void> {
  await pdf.attach(Buffer.from(JSON.stringify(evidence)), evidenceFile, {
    mimeType: "application/json",
    description: "What the certificate pages say, in machine-readable form",
    creationDate: at,
    modificationDate: at,
    afRelationship: AFRelationship.Data,
  });
  await pdf.flush();
}

/** ISO 32000-2, 12.8.1; the names that PAdES requires, and a declaration that no further changes are allowed. */
function addEmptySeal(
  pdf: PDFDocument,
  evidence: Evidence,
  { at, contents }: { at: Date; contents: string },
): void {
  const { context, catalog } = pdf;
  const attached = catalog.lookup(key("AF"), PDFArray);
  const text = (value: string) => PDFHexString.fromText(value);
  const seal = context.obj({ Type: "Sig", Filter: "Adobe.PPKLite", SubFilter: "ETSI.CAdES.detached" });
  seal.set(
    key("ByteRange"),
    context.obj([0, byteRangePlaceholder, byteRangePlaceholder, byteRangePlaceholder]),
  );
  seal.set(key("Contents"), PDFHexString.of(contents));
  seal.set(key("Name"), text(evidence.organization.name));
  seal.set(key("Reason"), text(`Signed by everyone named in signature request ${evidence.envelope.id}`));
  seal.set(key("M"), PDFString.fromDate(at));
  seal.set(
    key("Reference"),
    context.obj([
      {
        Type: "SigRef",
        TransformMethod: "DocMDP",
        TransformParams: { Type: "TransformParams", P: 1, V: key("1.2") },
      },
    ]),
  );
  // References the evidence itself: another attachment may have the same name.
  seal.set(key("CSGN_Evidence"), attached.get(attached.size() - 1));
  const sealRef = context.register(seal);
  const page = pdf.getPage(pdf.getPageCount() - 1);
  const printedAndLocked = 132;
  const widget = context.obj({ Type: "Annot", Subtype: "Widget", FT: "Sig", Rect: [0, 0, 0, 0] });
  widget.set(key("F"), PDFNumber.of(printedAndLocked));
  widget.set(key("T"), PDFString.of("Seal"));
  widget.set(key("TU"), PDFString.of("Seal of the workspace"));
  widget.set(key("V"), sealRef);
  widget.set(key("P"), page.ref);
  const widgetRef = context.register(widget);
  page.node.set(key("Annots"), context.obj([widgetRef]));
  const form = context.obj({ SigFlags: 3 });
  form.set(key("Fields"), context.obj([widgetRef]));
  catalog.set(key("AcroForm"), form);
  const permissions = PDFDict.withContext(context);
  permissions.set(key("DocMDP"), sealRef);
  catalog.set(key("Perms"), permissions);
}

const byteRangePlaceholder = 9_999_999_999;

/** Finds the empty seal by its nonce, which no upload can imitate, and returns what it covers. */
function measure(saved: Uint8Array, nonce: string, digits: number) {
  const bytes = Buffer.from(saved.buffer, saved.byteOffset, saved.byteLength);
  const start = bytes.lastIndexOf(`<${nonce}`, undefined, "latin1");
  const end = start + digits + 2;
  const placeholder = `/ByteRange [ 0 ${byteRangePlaceholder} ${byteRangePlaceholder} ${byteRangePlaceholder} ]`;
  const at = bytes.lastIndexOf(placeholder, start, "latin1");
  if (start < 0 || at < 0 || start - at > 200 || bytes[end - 1] !== 0x3e) {
    throw new Error("The empty seal is not where it was written.");
  }
  const actual = `/ByteRange [ 0 ${start} ${end} ${bytes.length - end}`;
  bytes.write(`${actual.padEnd(placeholder.length - 2)} ]`, at, "latin1");
  bytes.fill("0", start + 1, end - 1, "latin1");
  return { bytes, gap: [start, end] as [number, number] };
}
