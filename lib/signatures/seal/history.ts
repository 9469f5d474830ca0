/**
 * Checks that a request's history proves what is about to be sealed: the chain is intact, and what the signers agreed
 * to and signed is what the rows say. A request that fails this is not sealed.
 */
import { hash } from "node:crypto";
import { CannotSeal } from "#lib/documents/seal/seal.ts";
import { firstBrokenLink } from "#lib/signatures/chain.ts";
import type { chainOf } from "#lib/signatures/events.ts";
import type { EnvelopeRow, SignerRow } from "#lib/signatures/rows.ts";

type Event = Awaited<ReturnType<typeof chainOf>>[number];

/** `row` was read before `events`, so `events` may end with newer ones. Throws CannotSeal. */
export function requireHistory(row: EnvelopeRow, events: readonly Event[]): void {
  const problem = problemWith(row, events);
  if (problem) throw new CannotSeal(`Its history is not intact, so it is not sealed. ${problem}`);
}

function problemWith(row: EnvelopeRow, events: readonly Event[]): string | null {
  const { organizationId, id: envelopeId, eventCount, eventHash } = row;
  if (events.length < eventCount || (events[eventCount - 1]?.hash ?? null) !== eventHash) {
    return "Events are missing.";
  }
  const broken = firstBrokenLink({ organizationId, envelopeId }, events);
  if (broken) return broken;
  const sent = detailsOf(events.find(({ type }) => type === "SENT"));
  const { documentSnapshotHash, pdfSha256 } = row;
  if (sent?.documentSnapshotHash !== documentSnapshotHash || sent?.pdfSha256 !== pdfSha256) {
    return "It is not the document that was sent.";
  }
  for (const signer of row.signers) {
    const wrong = signer.delegatedAt ? null : problemWithSigner(row, signer, events);
    if (wrong) return `${signer.name}: ${wrong}`;
  }
  return null;
}

function problemWithSigner(row: EnvelopeRow, signer: SignerRow, events: readonly Event[]): string | null {
  const own = events.filter(({ signerId }) => signerId === signer.id);
  // A correction starts over: consent given before it does not count.
  const since = own.slice(own.findLastIndex(({ type }) => type === "SIGNER_CORRECTED") + 1);
  const consent = detailsOf(since.findLast(({ type }) => type === "CONSENTED"));
  if (!signer.consentHash || consent?.consentSha256 !== signer.consentHash) {
    return "there is no event of the consent that is recorded.";
  }
  const signed = detailsOf(since.findLast(({ type }) => type === "SIGNED"));
  if (!signer.signedAt || !signed) return "there is no event of the signature that is recorded.";
  if (signed.pdfSha256 !== row.pdfSha256) return "another document was signed.";
  // Events from before this property existed rely on the other checks.
  const entries = signed.entriesSha256;
  return entries === undefined || entries === entriesHash(row, signer)
    ? null
    : "what was entered is not what was signed.";
}

const detailsOf = (event: Event | undefined) => event?.details as Record<string, unknown> | null | undefined;

/**
 * The hash of everything that a signer has entered into a request: their name, signature, and the value of each
 * field.
 */
export function entriesHash(row: Pick<EnvelopeRow, "fields">, signer: SignerRow): string {
  const fields = row.fields
    .filter(({ signerId }) => signerId === signer.id)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, type, pageIndex, xPct, yPct, wPct, hPct, filled, value }) => [
      ...[id, type, pageIndex, xPct, yPct, wPct, hPct, filled, value],
    ]);
  const { name, email, signedName, signedIp, signedUserAgent, consentHash } = signer;
  const { signatureKind, signatureText, signatureSha256, initialsText, initialsSha256 } = signer;
  const person = [
    name,
    email,
    signedName,
    signedIp,
    signedUserAgent,
    consentHash,
    signer.signedAt?.toISOString(),
  ];
  const look = [signatureKind, signatureText, signatureSha256, initialsText, initialsSha256];
  return hash("sha256", JSON.stringify([person, look, fields]));
}
