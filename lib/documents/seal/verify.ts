/** Verifies a sealed PDF, as named checks: what the file itself proves, and what only its issuer knows. */

import { serverBusy, type Turn } from "#lib/core/lanes.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { Evidence, EvidenceEvent } from "./evidence.ts";
import type { Check, ReadSeal, readSeal } from "./read-seal.ts";

const sealReader = parser<typeof readSeal>("lib/documents/seal/read-seal.ts", "readSeal", "verification");

export type { Check };

/** What the caller knows beyond the file. Checks left out are reported as not performed. */
export interface Issuer {
  /**
   * Whether the certificate with this SHA-256 fingerprint is ours, and whether the document with this hash was issued
   * as this evidence says.
   */
  issued?(seal: { fingerprint: string; sha256: string; evidence: Evidence | null }): Promise<Verdict>;
  /** The recomputed hash of an event; the index starts at 0. */
  hashEvent?(evidence: Evidence, event: EvidenceEvent, index: number): string;
}

/** `knowsFile`: the file is, byte for byte, the one that was issued. */
type Verdict = Pick<Check, "holds" | "says"> & { knowsFile?: boolean };

export interface Verification extends Omit<ReadSeal, "claimedAt"> {
  /** Whether no check failed. */
  ok: boolean;
}

/**
 * A sealed document of 50 MB and 2,000 pages takes 1.6 s and 300 MB. The evidence of a hundred signers is less than a
 * megabyte, somewhat more if they request many codes; anything much larger is not evidence.
 */
const limits = { timeoutMs: 3_000, memoryMb: 512, answerMb: 16 };

/** `turn` says on whose behalf; an operator's command does not queue for anyone. */
export async function verifySealed(
  path: string,
  issuer: Issuer = {},
  turn: Turn = { share: "" },
): Promise<Verification> {
  const { claimedAt, ...seal } = await read(path, turn);
  if (seal.certificate && issuer.hashEvent) checkHashes(seal, issuer.hashEvent);
  const { knowsFile, ...asked } = await askIssuer(seal, issuer);
  if (!knowsFile) doubtTimestamp(seal, claimedAt);
  const checks = [...seal.checks, { name: "issued_here" as const, ...asked }];
  return { ...seal, checks, ok: checks.every((check) => check.holds !== false) };
}

type Seal = Omit<ReadSeal, "claimedAt">;

/**
 * A seal does not cover its time-stamp: anyone can replace it with one from an authority they made up. So it proves a
 * time only in the exact file that was issued.
 */
function doubtTimestamp(seal: Seal, claimedAt: string | null): void {
  const check = seal.checks.find(({ name }) => name === "timestamp");
  if (!check?.holds) return;
  check.holds = null;
  check.says = `${check.says} Whether it is that authority is unknown: anyone can create a certificate in its name. Ask the server that issued the document.`;
  seal.sealedAt = claimedAt;
}

async function read(path: string, turn: Turn): Promise<ReadSeal> {
  try {
    return await runInChild(sealReader, { path }, limits, turn);
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    // A busy machine says nothing about the document.
    if (error.reason === "stalled") throw serverBusy();
    const says = "The file cannot be read: it takes too much time or memory, or it is damaged.";
    const checks: Check[] = [{ name: "sealed", holds: false, says }];
    return { sha256: "", checks, certificate: null, sealedAt: null, claimedAt: null, evidence: null };
  }
}

function checkHashes({ checks, evidence }: Seal, hashEvent: NonNullable<Issuer["hashEvent"]>): void {
  const check = checks.find(({ name }) => name === "events");
  if (!evidence || !check?.holds) return;
  const broken = evidence.events.findIndex((event, at) => hashEvent(evidence, event, at) !== event.hash);
  if (broken < 0) return;
  check.holds = false;
  check.says = `Event ${broken + 1} is not the one whose hash it carries.`;
}

async function askIssuer({ certificate, sha256, evidence }: Seal, { issued }: Issuer): Promise<Verdict> {
  if (!certificate) return { holds: null, says: "Without a seal no one can have issued it." };
  if (issued) return issued({ fingerprint: certificate.fingerprint, sha256, evidence });
  return {
    holds: null,
    says: `Unknown: anyone can create a certificate in the name of ${certificate.name}. Compare its fingerprint, ${certificate.fingerprint}, with the one that the workspace publishes, or ask its server.`,
  };
}
