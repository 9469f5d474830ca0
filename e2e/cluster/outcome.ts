/** What there is in the end: once all work is done, or does not go on. */
import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import PostalMime from "postal-mime";
import { admin } from "../admin.ts";
import { readTitle } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import type { History, Outcome } from "./history.ts";

/**
 * Jobs that wait for a time to come are not unfinished, nor is one that was replaced while it ran: the queue takes its
 * key, and its attempts.
 */
const waiting = `
  SELECT 'a delivery ' || status || coalesce(' claimed by ' || claimed_by, '') AS what FROM deliveries
    WHERE status IN ('PENDING', 'RETRYING') OR claimed_by IS NOT NULL
  UNION ALL SELECT 'a mail ' || template FROM signing_mails WHERE state = 'QUEUED'
  UNION ALL SELECT 'a request that is ' || status FROM envelopes WHERE status = 'SEALING'
  UNION ALL SELECT 'a job ' || task_identifier || coalesce(' locked by ' || locked_by, '') || coalesce(': ' || last_error, '')
    FROM graphile_worker.jobs WHERE (locked_at IS NOT NULL OR attempts > 0 OR run_at <= now())
      AND NOT (key IS NULL AND attempts >= max_attempts)`;

/** Jobs that failed while something was away are tried again after growing pauses. */
const patienceMs = 180_000;

/** Waits until nothing is left to do, for so long at most, and answers what is. */
async function settle(cluster: Cluster): Promise<string[]> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const rows = await cluster.primary().query<{ what: string }>(waiting);
    if (rows.length === 0 || Date.now() > deadline) return rows.map(({ what }) => what);
    await pause(500);
  }
}

export async function findOutcome(cluster: Cluster, history: History): Promise<Outcome> {
  const unfinished = await settle(cluster);
  await noteMails(cluster, history);
  const select = <Row extends object>(sql: string) => cluster.primary().query<Row>(sql);
  const contracts = await select<{ id: string; title: string }>("SELECT id, title FROM contracts");
  const versions = await select<{ id: string; contract: string; sha256: string }>(
    "SELECT id, contract_id AS contract, sha256 FROM document_versions",
  );
  const requests = await select<Outcome["requests"][number]>(`
    SELECT e.id, e.status::text, (SELECT count(*)::int FROM document_versions v
      WHERE v.organization_id = e.organization_id AND v.contract_id = e.contract_id AND source = 'SIGNED') AS "sealedVersions"
    FROM envelopes e`);
  const seqs = await select<{ seq: string }>("SELECT seq FROM audit_events ORDER BY audit_events.seq");
  return {
    contracts: contracts.map(({ id, title }) => ({ id, ...readTitle(title) })),
    versions: await Promise.all(
      versions.map(async (version) => ({ ...version, holds: await holds(cluster, version) })),
    ),
    requests,
    seqs: seqs.map(({ seq }) => Number(seq)),
    problems: await problemsOf(cluster),
    unfinished,
  };
}

/** Downloads it as a client does. */
async function holds(
  { key, url }: Cluster,
  { id, contract, sha256 }: Record<"id" | "contract" | "sha256", string>,
): Promise<boolean> {
  const path = `${url}/api/v1/contracts/${contract}/versions/${id}/download`;
  const response = await fetch(path, { headers: { "x-api-key": key } });
  return response.ok && hash("sha256", Buffer.from(await response.arrayBuffer())) === sha256;
}

async function noteMails({ mailbox }: Cluster, history: History): Promise<void> {
  for (const { to, raw } of mailbox.received) {
    const { messageId = "", subject = "" } = await PostalMime.parse(raw);
    history.add({ what: "mailed", id: messageId, to: to.join(), subject });
  }
}

/** The command that anyone has who runs the product. */
async function problemsOf({ environment, organizationId }: Cluster): Promise<string[]> {
  const proof = await admin(environment, "verify-audit", "--organization", organizationId).catch((error) => {
    if (!error.stdout) throw error;
    return JSON.parse(error.stdout);
  });
  return proof.problems.map(({ source, reason }: Record<string, string>) => `${source}: ${reason}`);
}
