/** What holds of a sealed PDF, each check by its name: what the file itself proves, and what only its issuer knows. */
import { ParserFailed, runInChild } from "./child.ts";
import type { Evidence, EvidenceEvent } from "./evidence.ts";
import type { Check, ReadSeal } from "./read-seal.ts";

export type { Check };

/** What the caller knows beyond the file. What is left out is told as not asked. */
export interface Issuer {
  /**
   * Whether the certificate with this SHA-256 fingerprint is one of ours, and whether the document with this hash
   * was issued as this evidence says.
   */
  issued?(seal: { fingerprint: string; sha256: string; evidence: Evidence | null }): Promise<Verdict>;
  /** The hash of one of its events, computed again. */
  hashEvent?(evidence: Evidence, event: EvidenceEvent): string;
}

type Verdict = Pick<Check, "holds" | "says">;

export interface Verification extends ReadSeal {
  /** Whether nothing that was checked failed. */
  ok: boolean;
}

const limits = { timeoutMs: 60_000, memoryMb: 1536 };

export async function verifySealed(path: string, issuer: Issuer = {}): Promise<Verification> {
  const seal = await read(path);
  if (seal.certificate && issuer.hashEvent) checkHashes(seal, issuer.hashEvent);
  const asked = await askIssuer(seal, issuer);
  const checks = [...seal.checks, { name: "issued_here" as const, ...asked }];
  return { ...seal, checks, ok: checks.every((check) => check.holds !== false) };
}

async function read(path: string): Promise<ReadSeal> {
  try {
    return await runInChild("readSeal", { path }, limits);
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    const says = "The file cannot be read: it takes too much time or memory, or it is damaged.";
    const checks: Check[] = [{ name: "sealed", holds: false, says }];
    return { sha256: "", checks, certificate: null, sealedAt: null, evidence: null };
  }
}

function checkHashes({ checks, evidence }: ReadSeal, hashEvent: NonNullable<Issuer["hashEvent"]>): void {
  const check = checks.find(({ name }) => name === "events");
  if (!evidence || !check?.holds) return;
  const broken = evidence.events.findIndex((event) => hashEvent(evidence, event) !== event.hash);
  if (broken < 0) return;
  check.holds = false;
  check.says = `Event ${broken + 1} is not the one whose hash it carries.`;
}

async function askIssuer({ certificate, sha256, evidence }: ReadSeal, { issued }: Issuer): Promise<Verdict> {
  if (!certificate) return { holds: null, says: "Without a seal nobody can have issued it." };
  if (issued) return issued({ fingerprint: certificate.fingerprint, sha256, evidence });
  return {
    holds: null,
    says: `Unknown: anybody can make a certificate in the name of ${certificate.name}. Compare its fingerprint, ${certificate.fingerprint}, with the one that the workspace publishes, or ask its server.`,
  };
}
