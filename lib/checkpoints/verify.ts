/**
 * Verifies the audit log of a workspace: the chain itself, and then against checkpoints that were kept elsewhere, those
 * in storage, and the evidence in every sealed document. Reports everything that does not fit.
 */
import { readFile } from "node:fs/promises";
import { type Verdict, verifyAudit } from "#lib/audit/verify.ts";
import { db, query } from "#lib/core/db.ts";
import { verifyPdf } from "#lib/signatures/verify/verification.ts";
import { DamagedObject, withStoredFile } from "#lib/storage/store.ts";
import type { Checkpoint } from "./file.ts";
import { brokenHistories } from "./histories.ts";
import { checkpointIdOf, readStoredCheckpoint, storedCheckpoints } from "./store.ts";
import { readTrusted } from "./trusted.ts";

export interface Problem {
  /** What the log was compared with, or the log itself. */
  source: string;
  reason: string;
}

export interface Proof extends Verdict {
  /** Everything that does not fit; the chain's own problem first. */
  problems: Problem[];
  /** How many given files, stored checkpoints and sealed documents the log was compared with. */
  compared: { files: number; stored: number; sealed: number };
}

/** An event that, according to something outside the log, existed. */
interface Claim extends Pick<Checkpoint, "seq" | "hash" | "at" | "signatureRequests"> {
  source: string;
}

/** Verifies a workspace's log. `files`: paths of checkpoints that someone kept. */
export async function proveAudit(organizationId: string, files: readonly string[] = []): Promise<Proof> {
  const verdict = await verifyAudit(organizationId);
  const given = await Promise.all(
    files.map(async (path) => ({ source: path, text: await readFile(path, "utf8") })),
  );
  const names = await storedCheckpoints(organizationId);
  const stored = await Promise.all(
    names.map(async (name) => ({
      source: `checkpoint ${checkpointIdOf(name)} in storage`,
      text: await readStoredCheckpoint(name),
    })),
  );
  const read = await readAll(organizationId, [...given, ...stored]);
  const sealed = await sealedEvidence(organizationId);
  const claims = [...read.claims, ...sealed.claims];
  const problems: Problem[] = [
    ...(verdict.problem ? [{ source: "audit log", reason: verdict.problem.reason }] : []),
    ...read.problems,
    ...sealed.problems,
    ...(await missingCheckpoints(organizationId, new Set(names.map(checkpointIdOf)))),
    ...(await mismatchesOf(organizationId, claims)),
    ...(await brokenHistories(organizationId)).map(({ reason }) => ({
      source: "signature requests",
      reason,
    })),
  ];
  return {
    ...verdict,
    ok: problems.length === 0,
    problems,
    compared: { files: given.length, stored: stored.length, sealed: sealed.count },
  };
}

async function readAll(organizationId: string, texts: { source: string; text: string }[]) {
  const claims: Claim[] = [];
  const problems: Problem[] = [];
  for (const { source, text } of texts) {
    const { checkpoint, problem } = await readTrusted(organizationId, text);
    if (checkpoint) claims.push({ ...checkpoint, source });
    else problems.push({ source, reason: problem });
  }
  return { claims, problems };
}

/** Returns what the sealed documents of a workspace state about its log, and the documents that are gone or invalid. */
async function sealedEvidence(organizationId: string) {
  const claims: Claim[] = [];
  const problems: Problem[] = [];
  const completed = await query<{ versionId: string; envelopeId: string; sha256: string | null }>(
    `SELECT said.version_id AS "versionId", said.envelope_id AS "envelopeId", v.sha256 FROM (
       SELECT payload -> 'changes' -> 'signedVersionId' ->> 'to' AS version_id, payload -> 'target' ->> 'id' AS envelope_id
       FROM audit_events WHERE organization_id = $1 AND action = 'SIGNATURE_REQUEST_COMPLETED'
       UNION SELECT signed_version_id, id FROM envelopes
       WHERE organization_id = $1 AND signed_version_id IS NOT NULL) AS said
     LEFT JOIN document_versions v ON v.organization_id = $1 AND v.id = said.version_id
     ORDER BY 1`,
    [organizationId],
  );
  for (const { versionId, envelopeId, sha256 } of completed) {
    const source = `sealed document ${versionId} of ${envelopeId}`;
    if (sha256 === null) {
      problems.push({ source, reason: "The log says that it was sealed, but it is gone." });
      continue;
    }
    try {
      const { ok, checks, evidence } = await withStoredFile(organizationId, sha256, verifyPdf);
      const wrong = checks.find(({ holds }) => holds === false);
      if (!ok && wrong) problems.push({ source, reason: wrong.says });
      if (evidence?.checkpoint) claims.push({ ...evidence.checkpoint, source, signatureRequests: [] });
    } catch (error) {
      if (!(error instanceof DamagedObject)) throw error;
      problems.push({ source, reason: "Its file is gone or damaged." });
    }
  }
  return { claims, problems, count: completed.length };
}

/** Returns the checkpoints that were signed according to the log and are no longer in storage. */
async function missingCheckpoints(organizationId: string, there: Set<string>): Promise<Problem[]> {
  const signed = await query<{ id: string }>(
    `SELECT payload -> 'target' ->> 'id' AS id FROM audit_events
     WHERE organization_id = $1 AND action = 'AUDIT_CHECKPOINT_SIGNED' ORDER BY seq`,
    [organizationId],
  );
  return signed
    .filter(({ id }) => !there.has(id))
    .map(({ id }) => ({ source: `checkpoint ${id}`, reason: "It is no longer in storage." }));
}

async function mismatchesOf(organizationId: string, claims: Claim[]): Promise<Problem[]> {
  if (claims.length === 0) return [];
  const rows = await query<{ seq: string; hash: Buffer }>(
    "SELECT seq, hash FROM audit_events WHERE organization_id = $1 AND seq = ANY($2::bigint[])",
    [organizationId, claims.map(({ seq }) => seq)],
  );
  const hashes = new Map(rows.map(({ seq, hash }) => [seq, hash.toString("hex")]));
  const { _max: newest } = await db.auditEvent.aggregate({ where: { organizationId }, _max: { seq: true } });
  const last = newest.seq ?? 0n;
  const problems: Problem[] = [];
  for (const claim of claims) {
    const reason = mismatchOf(claim, hashes.get(claim.seq), last);
    if (reason) problems.push({ source: claim.source, reason });
    for (const request of claim.signatureRequests) {
      const wrong = await cutHistory(organizationId, request);
      if (wrong) problems.push({ source: claim.source, reason: wrong });
    }
  }
  return problems;
}

function mismatchOf({ seq, hash, at }: Claim, found: string | undefined, last: bigint): string | null {
  if (found === hash || seq === "0") return null;
  const then = `On ${at} the log had ${seq} events`;
  if (last === 0n) return `Everything was deleted. ${then}; now it has none.`;
  if (BigInt(seq) > last) return `The end of the log was cut off. ${then}; now it has ${last}.`;
  if (found === undefined) return `Event ${seq} is missing.`;
  return `The log was rewritten. ${then}, and event ${seq} had the hash ${hash}; now it has ${found}.`;
}

async function cutHistory(
  organizationId: string,
  { id, events, hash }: Checkpoint["signatureRequests"][number],
): Promise<string | null> {
  const event = await db.signingEvent.findFirst({
    where: { organizationId, envelopeId: id, number: events },
    select: { hash: true },
  });
  if (event?.hash === hash) return null;
  return event
    ? `The history of the signature request ${id} was rewritten: event ${events} has another hash.`
    : `The history of the signature request ${id} was cut off: event ${events} is missing.`;
}
