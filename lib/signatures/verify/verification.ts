/** Verifies that a PDF was signed and sealed here: what the file itself proves, and what only this server knows. */

import { reader } from "#lib/core/change.ts";
import { systemContext, type Visit } from "#lib/core/context.ts";
import { db } from "#lib/core/db.ts";
import { invalid } from "#lib/core/errors.ts";
import { type Turn, visitorShare } from "#lib/core/lanes.ts";
import type { FileField, StoredUpload } from "#lib/core/operation.ts";
import type { Evidence, EvidenceEvent } from "#lib/documents/seal/evidence.ts";
import { type Issuer, type Verification, verifySealed } from "#lib/documents/seal/verify.ts";
import { firstBrokenLink, hashOfEvent } from "#lib/signatures/chain.ts";
import { chainOf } from "#lib/signatures/events.ts";

/** Verifies a file. Anyone may call it: only those who have the document learn anything about it. */
export async function verifyPdf(path: string, turn?: Turn): Promise<Verification> {
  return verifySealed(path, { issued, hashEvent: hashOfEvidence }, turn);
}

/** Whose seal it is: confirmed, not the expected one, or unknown without asking the server that issued it. */
type IssuerKnown = "confirmed" | "other" | "unknown";

/**
 * Checks what the file proves by itself, its chain of events included, without asking anyone. Anyone can create a
 * certificate in any name, so the file is valid only if its certificate has this fingerprint.
 */
export async function verifyOffline(
  path: string,
  fingerprint?: string,
): Promise<Verification & { issuer: IssuerKnown }> {
  const issuer: Issuer = { hashEvent: hashOfEvidence };
  if (fingerprint !== undefined) issuer.issued = async (seal) => compared(seal.fingerprint, fingerprint);
  const verification = await verifySealed(path, issuer);
  const issued = verification.checks.find(({ name }) => name === "issued_here")?.holds ?? null;
  const known = issued === null ? "unknown" : issued ? "confirmed" : "other";
  return { ...verification, issuer: known, ok: verification.ok && known === "confirmed" };
}

/** Verifies a file as `verifyPdf` does, and that it was sealed with this certificate. */
export async function verifyPdfSealedWith(path: string, fingerprint: string): Promise<Verification> {
  return verifySealed(path, {
    hashEvent: hashOfEvidence,
    async issued(seal) {
      const verdict = compared(seal.fingerprint, fingerprint);
      return verdict.holds ? issued(seal) : verdict;
    },
  });
}

function compared(found: string, expected: string): Verdict {
  if (found === expected)
    return { holds: true, says: `The certificate is the one with the fingerprint ${expected}.` };
  return {
    holds: false,
    says: `It was sealed with another certificate: its fingerprint is ${found}, not ${expected}.`,
  };
}

/** The upload of a file to verify. Anything that is not a sealed PDF is reported by the checks themselves. */
export const sealedField: FileField = {
  name: "document",
  // The largest document plus its certificate pages and seal.
  limitBytes: 64 * 1024 * 1024,
  lane: "verification",
  inspect: async () => ({ contentType: "application/pdf", pageCount: null }),
};

/** Verifies an upload; stops when the visitor disconnects. */
export async function checkUpload(
  visitor: Visit,
  file: StoredUpload | undefined,
): Promise<{ verification: Verification }> {
  if (!file?.path) throw invalid({ path: "document", message: "is required" });
  const turn = { share: visitorShare(visitor), signal: visitor.gone?.() };
  return { verification: await verifyPdf(file.path, turn) };
}

/** The recomputed hash of an event in the evidence, given its position in the chain. */
function hashOfEvidence(evidence: Evidence, event: EvidenceEvent, index: number): string {
  const { kind, id, name, email } = event.actor;
  return hashOfEvent(
    {
      organizationId: evidence.organization.id,
      envelopeId: evidence.envelope.id,
      number: index + 1,
      id: event.id,
      signerId: event.signerId,
      type: event.type,
      actor: JSON.stringify({ kind, id, name, email }),
      ipAddress: event.ipAddress,
      userAgent: event.userAgent,
      details: event.details === null ? null : JSON.stringify(event.details),
      createdAt: event.at,
    },
    event.prevHash,
  );
}

type Asked = Parameters<NonNullable<Issuer["issued"]>>[0];
type Verdict = Awaited<ReturnType<NonNullable<Issuer["issued"]>>>;

/** Issued here means: sealed with our key, stored under this hash, and its events match our chain. */
async function issued({ fingerprint, sha256, evidence }: Asked): Promise<Verdict> {
  if (!evidence) return { holds: false, says: "It does not say what was signed, so it was not issued here." };
  const organizationId = evidence.organization.id;
  const key = await db.signingKey.findFirst({ where: { organizationId, fingerprint } });
  if (!key) return { holds: false, says: "It was sealed with a key that no workspace of this server has." };
  const version = await db.documentVersion.findFirst({ where: { organizationId, sha256, source: "SIGNED" } });
  const envelope = await db.envelope.findFirst({
    where: { organizationId, id: evidence.envelope.id, signedVersionId: version?.id ?? "" },
  });
  if (!version || !envelope) {
    return { holds: false, says: "It carries our seal, but it is not the document that was issued." };
  }
  const broken = await brokenHistory(evidence, { eventCount: envelope.eventCount, sha256 });
  if (broken) return { holds: false, says: broken };
  return {
    holds: true,
    knowsFile: true,
    says: `Issued here by ${evidence.organization.name} for the request ${envelope.id}; its events are intact.`,
  };
}

/**
 * Checks the chain in the database: intact, starts with the certificate's events, and records this seal after them.
 */
async function brokenHistory(
  evidence: Evidence,
  { eventCount, sha256 }: { eventCount: number; sha256: string },
): Promise<string | null> {
  const { id: envelopeId } = evidence.envelope;
  const ctx = systemContext(evidence.organization.id, "verification");
  const events = await chainOf(reader(), ctx, envelopeId);
  if (events.length !== eventCount) return "Events kept here are missing.";
  const broken = firstBrokenLink({ organizationId: ctx.organizationId, envelopeId }, events);
  if (broken) return `The events kept here are inconsistent: ${broken}`;
  const missing = evidence.events.findIndex(({ hash }, index) => events[index]?.hash !== hash);
  if (missing >= 0) return `Event ${missing + 1} of the certificate is not among the events kept here.`;
  const after = events.slice(evidence.events.length);
  const sealed = after.find(({ type }) => type === "SEALED")?.details as { sha256?: string } | undefined;
  if (sealed?.sha256 === sha256 && after.some(({ type }) => type === "COMPLETED")) return null;
  return "Events kept here after those of the certificate were cut off.";
}
