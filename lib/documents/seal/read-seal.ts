/**
 * Looks at a sealed PDF from a stranger, byte by byte, in the limited child: what its seal covers, whether it is
 * the certificate's, and what it says. Whose certificate it is, only the caller can know.
 */
import { createHash, hash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type BaseBlock, Constructed } from "asn1js";
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
} from "pdf-lib";
import { assemble, attribute, holds, octetsOf, oids, type ReadCms, readCms } from "./cms.ts";
import { Evidence } from "./evidence.ts";
import { type CertificateSummary, describeCertificate } from "./signing-key.ts";
import { readToken } from "./timestamp.ts";

export interface Check {
  name:
    | "sealed"
    | "whole_file"
    | "unchanged"
    | "signature"
    | "profile"
    | "certificate"
    | "timestamp"
    | "evidence"
    | "events"
    | "issued_here";
  /** null: there was nothing to check, or nobody to ask. */
  holds: boolean | null;
  says: string;
}

export interface ReadSeal {
  sha256: string;
  checks: Check[];
  certificate: CertificateSummary | null;
  /** The authority's time where there is a time-stamp, else what the sealing server's clock said. */
  sealedAt: string | null;
  evidence: Evidence | null;
}

const key = (text: string) => PDFName.of(text);

export async function readSeal({ path }: { path: string }): Promise<ReadSeal> {
  const bytes = await readFile(path);
  const nothing = { sha256: hash("sha256", bytes), certificate: null, sealedAt: null, evidence: null };
  try {
    return { ...nothing, ...examine(bytes, await theSeal(bytes)) };
  } catch (error) {
    // Damage shows wherever the parsers happen to stumble over it.
    const says = error instanceof NotSealed ? error.message : damaged;
    return { ...nothing, checks: [{ name: "sealed", holds: false, says }] };
  }
}

class NotSealed extends Error {}

const damaged = "The PDF is damaged or encrypted and cannot be read.";

/** The one signature of a document. An uploaded file's earlier signatures are taken out before it is sealed. */
async function theSeal(bytes: Buffer): Promise<PDFDict> {
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

function examine(bytes: Buffer, seal: PDFDict): Omit<ReadSeal, "sha256"> {
  const sealed: Check = { name: "sealed", holds: true, says: "The PDF carries one seal." };
  const gap = gapOf(bytes, seal);
  const evidence = evidenceIn(seal);
  const known = [evidenceCheck(evidence), eventsCheck(evidence)];
  if (typeof gap === "string") {
    const whole: Check = { name: "whole_file", holds: false, says: gap };
    return { checks: [sealed, whole, ...known], certificate: null, sealedAt: null, evidence };
  }
  const whole: Check = {
    name: "whole_file",
    holds: true,
    says: "The seal covers every byte of the file except its own.",
  };
  const contents = Buffer.from(bytes.toString("latin1", gap.start + 1, gap.end - 1), "hex");
  let cms: ReadCms;
  try {
    cms = readCms(contents);
    describeCertificate(cms.certificates[0]!);
  } catch (error) {
    const says = `The seal is not a readable signature: ${(error as Error).message}.`;
    const checks: Check[] = [sealed, whole, { name: "signature", holds: false, says }, ...known];
    return { checks, certificate: null, sealedAt: null, evidence };
  }
  const digest = (algorithm: string) =>
    createHash(algorithm).update(bytes.subarray(0, gap.start)).update(bytes.subarray(gap.end)).digest();
  const stamp = stampIn(cms);
  const sealedAt = stamp.time ?? claimedTime(seal);
  const checks = [
    sealed,
    whole,
    ...signatureChecks(cms, digest),
    profileCheck(seal, cms, contents, stamp.token),
  ];
  checks.push(certificateCheck(cms, sealedAt), stamp.check, ...known);
  return {
    checks,
    certificate: describeCertificate(cms.certificates[0]!),
    sealedAt: sealedAt?.toISOString() ?? null,
    evidence,
  };
}

/**
 * What the byte range leaves out. It must be the seal's /Contents from `<` to `>` and nothing else, at the place
 * where the file itself has it: a range that says otherwise would hide bytes from the seal.
 */
function gapOf(bytes: Buffer, seal: PDFDict): { start: number; end: number } | string {
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

function signatureChecks(cms: ReadCms, digest: (algorithm: string) => Uint8Array): Check[] {
  const held = safely(() => holds(cms, digest)) ?? { digest: false, signature: false };
  const { name } = describeCertificate(cms.certificates[0]!);
  return [
    {
      name: "unchanged",
      holds: held.digest,
      says: held.digest
        ? "No byte has changed since the document was sealed."
        : "The document has been changed since it was sealed.",
    },
    {
      name: "signature",
      holds: held.signature,
      says: held.signature
        ? `The seal was made with the key of ${name}.`
        : "The seal was not made with the key of the certificate that it carries, or it was altered.",
    },
  ];
}

/** ETSI EN 319 142-1, 6.3; and, as seals are written in one way here, that way to the byte. */
function profileCheck(
  seal: PDFDict,
  cms: ReadCms,
  contents: Buffer,
  timestampToken: Uint8Array | null,
): Check {
  const { signerInfo, certificates, size } = cms;
  const certificateHash = hash("sha256", certificates[0]!, "buffer");
  const written = safely(() =>
    assemble({
      certificates,
      digest: octetsOf(attribute(signerInfo, oids.messageDigest))!,
      signature: new Uint8Array(signerInfo.signature.valueBlock.valueHexView),
      timestampToken,
    }),
  );
  const types = (signerInfo.signedAttrs?.attributes ?? []).map(({ type }) => type);
  const wrong = [
    seal.lookup(key("SubFilter")) !== key("ETSI.CAdES.detached") && "its kind is not ETSI.CAdES.detached",
    seal.lookup(key("Filter")) !== key("Adobe.PPKLite") && "its filter is not Adobe.PPKLite",
    !(seal.lookup(key("M")) instanceof PDFString) && "it does not say when it was made",
    types.includes(oids.signingTime) && "it has the attribute signing-time, which PAdES forbids",
    !octetsOfCertificateHash(cms)?.equals(certificateHash) && "it does not name its certificate",
    (!written || !contents.subarray(0, size).equals(written)) &&
      "it is not written as seals are written here",
    contents.subarray(size).some((byte) => byte !== 0) && "it has bytes after its end",
    !timestampToken && size !== contents.length && "it has room for bytes that it does not cover",
    !safely(() => isChain(certificates)) && "its certificates do not lead from one to the next",
  ].filter((one) => one !== false);
  const level = timestampToken ? "B-T" : "B-B";
  return {
    name: "profile",
    holds: wrong.length === 0,
    says:
      wrong.length === 0
        ? `The seal keeps the rules of PAdES ${level}.`
        : `The seal breaks rules: ${wrong.join("; ")}.`,
  };
}

/** SEQUENCE of SEQUENCE of ESSCertIDv2, the hash of which is its first octet string. */
function octetsOfCertificateHash({ signerInfo }: ReadCms): Buffer | null {
  const first = (block: BaseBlock | null) =>
    block instanceof Constructed ? (block.valueBlock.value[0] ?? null) : null;
  return octetsOf(first(first(first(attribute(signerInfo, oids.signingCertificateV2)))));
}

function isChain(certificates: Uint8Array[]): boolean {
  const all = certificates.map((der) => new X509Certificate(der));
  return all.every((one, at) => {
    const issuer = all[at + 1];
    if (issuer) return one.checkIssued(issuer) && one.verify(issuer.publicKey);
    return one.subject !== one.issuer || one.verify(one.publicKey);
  });
}

function certificateCheck({ certificates }: ReadCms, at: Date | null): Check {
  const { validFromDate, validToDate } = new X509Certificate(certificates[0]!);
  const valid = at !== null && validFromDate <= at && at <= validToDate;
  const [from, to] = [validFromDate, validToDate].map((date) => date.toISOString().slice(0, 10));
  return {
    name: "certificate",
    holds: valid,
    says: `The certificate is valid from ${from} to ${to}, and ${valid ? "was" : "was not"} when the document was sealed.`,
  };
}

function stampIn({ signerInfo }: ReadCms): { token: Uint8Array | null; time: Date | null; check: Check } {
  const block = attribute(signerInfo, oids.timestampToken);
  const name = "timestamp";
  if (!block) {
    const says = "There is no time-stamp: the time of sealing comes from the sealing server's clock.";
    return { token: null, time: null, check: { name, holds: null, says } };
  }
  const token = new Uint8Array(block.toBER(false));
  const signature = new Uint8Array(signerInfo.signature.valueBlock.valueHexView);
  const read = safely(() => readToken(token, signature));
  if (!read?.fits) {
    const says = "The time-stamp is damaged, or it does not cover this seal.";
    return { token, time: null, check: { name, holds: false, says } };
  }
  const says = `${read.authority} vouches that the seal existed on ${read.time.toISOString()}.`;
  return { token, time: read.time, check: { name, holds: true, says } };
}

function claimedTime(seal: PDFDict): Date | null {
  const time = seal.lookup(key("M"));
  return time instanceof PDFString ? (safely(() => time.decodeDate()) ?? null) : null;
}

function evidenceIn(seal: PDFDict): Evidence | null {
  return safely(() => {
    const file = seal.lookup(key("CSGN_Evidence"), PDFDict).lookup(key("EF"), PDFDict).lookup(key("F"));
    if (!(file instanceof PDFRawStream)) return null;
    const text = Buffer.from(decodePDFRawStream(file).decode()).toString("utf8");
    return Evidence.parse(JSON.parse(text));
  });
}

function evidenceCheck(evidence: Evidence | null): Check {
  return {
    name: "evidence",
    holds: evidence !== null,
    says: evidence
      ? `It says who signed: ${evidence.signers
          .filter(({ signedAt }) => signedAt)
          .map(({ name }) => name)
          .join(", ")} (signature request ${evidence.envelope.id}).`
      : "It does not say who signed, or it cannot be read.",
  };
}

function eventsCheck(evidence: Evidence | null): Check {
  const name = "events";
  if (!evidence) return { name, holds: null, says: "There are no events to check." };
  const { events } = evidence;
  const broken = events.findIndex(({ prevHash }, at) => prevHash !== (events[at - 1]?.hash ?? null));
  return {
    name,
    holds: broken < 0 && events.length > 0,
    says:
      broken < 0
        ? `The ${events.length} events follow from one another without a gap.`
        : `Event ${broken + 1} does not follow from the one before it.`,
  };
}

/** What damaged input throws says no more than that it is damaged. */
function safely<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
