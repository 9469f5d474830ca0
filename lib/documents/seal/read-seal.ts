/**
 * Examines a sealed, untrusted PDF byte by byte, in the sandboxed child: what its seal covers, whether the signature
 * matches the certificate, and what it says. Only the caller can know whose certificate it is.
 */
import { createHash, hash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type BaseBlock, Constructed } from "asn1js";
import { type PDFDict, PDFString } from "#lib/documents/pdf/pdf-lib.ts";
import { assemble, findAttribute, octetsOf, oids, type ReadCms, readCms, verifySignedData } from "./cms.ts";
import { claimedTime, evidenceIn, findSeal, gapOf, key, NotSealed, tryOrNull } from "./embedded-seal.ts";
import type { Evidence } from "./evidence.ts";
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
  /** null: nothing to check, or nobody to ask. */
  holds: boolean | null;
  says: string;
}

export interface ReadSeal {
  sha256: string;
  checks: Check[];
  certificate: CertificateSummary | null;
  /** The authority's time if there is a time-stamp, else the sealing server's clock. */
  sealedAt: string | null;
  /** That clock's time: the seal covers it. */
  claimedAt: string | null;
  evidence: Evidence | null;
}

export async function readSeal({ path }: { path: string }): Promise<ReadSeal> {
  const bytes = await readFile(path);
  const nothing = { sha256: hash("sha256", bytes), ...unknown, evidence: null };
  try {
    return { ...nothing, ...examine(bytes, await findSeal(bytes)) };
  } catch (error) {
    // Damage shows up wherever a parser happens to fail.
    const says = error instanceof NotSealed ? error.message : damaged;
    return { ...nothing, checks: [{ name: "sealed", holds: false, says }] };
  }
}

const unknown = { certificate: null, sealedAt: null, claimedAt: null };

const damaged = "The PDF is damaged or encrypted and cannot be read.";

function examine(bytes: Buffer, seal: PDFDict): Omit<ReadSeal, "sha256"> {
  const sealed: Check = { name: "sealed", holds: true, says: "The PDF carries one seal." };
  const gap = gapOf(bytes, seal);
  const evidence = evidenceIn(seal);
  const known = [evidenceCheck(evidence), eventsCheck(evidence)];
  if (typeof gap === "string") {
    const whole: Check = { name: "whole_file", holds: false, says: gap };
    return { checks: [sealed, whole, ...known], ...unknown, evidence };
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
    return { checks, ...unknown, evidence };
  }
  const digest = (algorithm: string) =>
    createHash(algorithm).update(bytes.subarray(0, gap.start)).update(bytes.subarray(gap.end)).digest();
  const stamp = readTimestamp(cms);
  const claimedAt = claimedTime(seal);
  const sealedAt = stamp.time ?? claimedAt;
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
    claimedAt: claimedAt?.toISOString() ?? null,
    evidence,
  };
}

function signatureChecks(cms: ReadCms, digest: (algorithm: string) => Uint8Array): Check[] {
  const held = tryOrNull(() => verifySignedData(cms, digest)) ?? { digest: false, signature: false };
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

/** ETSI EN 319 142-1, 6.3; and since seals here are encoded in only one way, exactly that encoding. */
function profileCheck(
  seal: PDFDict,
  cms: ReadCms,
  contents: Buffer,
  timestampToken: Uint8Array | null,
): Check {
  const { signerInfo, certificates, size } = cms;
  const certificateHash = hash("sha256", certificates[0]!, "buffer");
  const expected = tryOrNull(() =>
    assemble({
      certificates,
      digest: octetsOf(findAttribute(signerInfo, oids.messageDigest))!,
      signature: new Uint8Array(signerInfo.signature.valueBlock.valueHexView),
      timestampToken,
    }),
  );
  const types = (signerInfo.signedAttrs?.attributes ?? []).map(({ type }) => type);
  const violations = [
    seal.lookup(key("SubFilter")) !== key("ETSI.CAdES.detached") && "its kind is not ETSI.CAdES.detached",
    seal.lookup(key("Filter")) !== key("Adobe.PPKLite") && "its filter is not Adobe.PPKLite",
    !(seal.lookup(key("M")) instanceof PDFString) && "it does not say when it was made",
    types.includes(oids.signingTime) && "it has the attribute signing-time, which PAdES forbids",
    !octetsOfCertificateHash(cms)?.equals(certificateHash) && "it does not name its certificate",
    (!expected || !contents.subarray(0, size).equals(expected)) &&
      "it is not written as seals are written here",
    contents.subarray(size).some((byte) => byte !== 0) && "it has bytes after its end",
    !timestampToken && size !== contents.length && "it has room for bytes that it does not cover",
    !tryOrNull(() => isChain(certificates)) && "its certificates do not lead from one to the next",
  ].filter((one) => one !== false);
  const level = timestampToken ? "B-T" : "B-B";
  return {
    name: "profile",
    holds: violations.length === 0,
    says:
      violations.length === 0
        ? `The seal keeps the rules of PAdES ${level}.`
        : `The seal breaks rules: ${violations.join("; ")}.`,
  };
}

/** SEQUENCE of SEQUENCE of ESSCertIDv2, the hash of which is its first octet string. */
function octetsOfCertificateHash({ signerInfo }: ReadCms): Buffer | null {
  const first = (block: BaseBlock | null) =>
    block instanceof Constructed ? (block.valueBlock.value[0] ?? null) : null;
  return octetsOf(first(first(first(findAttribute(signerInfo, oids.signingCertificateV2)))));
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

function readTimestamp({ signerInfo }: ReadCms): {
  token: Uint8Array | null;
  time: Date | null;
  check: Check;
} {
  const block = findAttribute(signerInfo, oids.timestampToken);
  const name = "timestamp";
  if (!block) {
    const says = "There is no time-stamp: the time of sealing comes from the sealing server's clock.";
    return { token: null, time: null, check: { name, holds: null, says } };
  }
  const token = new Uint8Array(block.toBER(false));
  const signature = new Uint8Array(signerInfo.signature.valueBlock.valueHexView);
  const read = tryOrNull(() => readToken(token, signature));
  if (!read?.isValid) {
    const says = "The time-stamp is damaged, or it does not cover this seal.";
    return { token, time: null, check: { name, holds: false, says } };
  }
  const says = `${read.authority} vouches that the seal existed on ${read.time.toISOString()}.`;
  return { token, time: read.time, check: { name, holds: true, says } };
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
