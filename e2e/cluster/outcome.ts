/** What exists at the end, once all work is done or makes no more progress. */
import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import PostalMime from "postal-mime";
import { admin } from "../admin.ts";
import { ask, insist } from "./ask.ts";
import { readTitle } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import type { History, Outcome } from "./history.ts";
import { senderAddress } from "./signatures.ts";

/**
 * Jobs scheduled for later are not unfinished. Neither is a job that was replaced while it ran: the queue removes its
 * key and uses up its attempts. Work that enqueues itself again counts as the same work, because its key is its name.
 */
const waiting = `
  SELECT 'delivery ' || id AS id, 'a delivery ' || status || coalesce(' claimed by ' || claimed_by, '') AS what FROM deliveries
    WHERE status IN ('PENDING', 'RETRYING') OR claimed_by IS NOT NULL
  UNION ALL SELECT 'mail ' || id, 'a mail ' || template FROM signing_mails WHERE state = 'QUEUED'
  UNION ALL SELECT 'request ' || id, 'a request that is ' || status FROM envelopes WHERE status = 'SEALING'
  UNION ALL SELECT 'job ' || coalesce(key, id::text), 'a job ' || task_identifier || coalesce(' locked by ' || locked_by, '') || coalesce(': ' || last_error, '')
    FROM graphile_worker.jobs WHERE (locked_at IS NOT NULL OR attempts > 0 OR run_at <= now())
      AND NOT (key IS NULL AND attempts >= max_attempts)`;

/** Work that failed while something was down is retried after growing pauses, sealing after a minute and more. */
const hurry = `
  SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs
    WHERE run_at > now() AND locked_at IS NULL AND attempts < max_attempts
      AND (attempts > 0 OR task_identifier IN ('signatures.seal', 'signatures.mail'))`;

/** How long the remaining work may stay the same. Until then it is hurried, but not so often that attempts run out. */
const usualPatienceMs = 180_000;
const hurriesByThen = 6;

/** Work that creates new work forever never ends either. */
const longestMs = 600_000;

/** Waits until no work is left, or the remaining work stays the same for patienceMs; returns what remains. */
async function settle(cluster: Cluster, patienceMs: number): Promise<string[]> {
  const over = Date.now() + longestMs;
  let before = "";
  let [deadline, hurryAt] = [0, 0];
  for (;;) {
    const rows = await cluster.primary().query<{ id: string; what: string }>(waiting);
    const left = rows.map(({ id }) => id).sort();
    const now = Date.now();
    if (left.join() !== before) {
      deadline = now + patienceMs;
      hurryAt = now + patienceMs / hurriesByThen;
    }
    before = left.join();
    if (rows.length === 0 || now > Math.min(deadline, over)) return rows.map(({ what }) => what);
    if (now > hurryAt) {
      await cluster.primary().query(hurry);
      hurryAt = now + patienceMs / hurriesByThen;
    }
    await pause(500);
  }
}

export async function findOutcome(
  cluster: Cluster,
  history: History,
  patienceMs = usualPatienceMs,
): Promise<Outcome> {
  const unfinished = await settle(cluster, patienceMs);
  await noteMails(cluster, history);
  const select = <Row extends object>(sql: string) => cluster.primary().query<Row>(sql);
  const contracts = await select<{ id: string; title: string }>("SELECT id, title FROM contracts");
  const versions = await select<{ id: string; contract: string; sha256: string }>(
    "SELECT id, contract_id AS contract, sha256 FROM document_versions",
  );
  const requests = await select<Outcome["requests"][number]>(`
    SELECT e.id, e.contract_id AS contract, e.status::text, (SELECT count(*)::int FROM document_versions v
      WHERE v.organization_id = e.organization_id AND v.contract_id = e.contract_id AND source = 'SIGNED') AS "sealedVersions"
    FROM envelopes e`);
  const seqs = await select<{ seq: string }>("SELECT seq FROM audit_events ORDER BY audit_events.seq");
  return {
    contracts: contracts.map(({ id, title }) => ({ id, ...readTitle(title) })),
    versions: await lookAtFiles(cluster, history, versions),
    requests,
    sender: senderAddress,
    seqs: seqs.map(({ seq }) => Number(seq)),
    problems: await problemsOf(cluster),
    unfinished,
  };
}

type Version = Omit<Outcome["versions"][number], "holds">;

const downloadsAtOnce = 4;

/** Downloads each version as a client does. */
async function lookAtFiles(
  { key, url }: Cluster,
  history: History,
  versions: Version[],
): Promise<Outcome["versions"]> {
  const looked: Outcome["versions"] = [];
  const left = versions.values();
  const look = async () => {
    for (const version of left) {
      const path = `/api/v1/contracts/${version.contract}/versions/${version.id}/download`;
      const init: RequestInit = { headers: { "x-api-key": key }, redirect: "follow" };
      const answer = await insist(history, `GET ${path}`, () => ask(url + path, init)).catch(
        ({ message: says }: Error) => void history.add({ what: "wronged", says }),
      );
      const holds = answer?.status === 200 && hash("sha256", answer.bytes) === version.sha256;
      looked.push({ ...version, holds });
    }
  };
  await Promise.all(Array.from({ length: downloadsAtOnce }, look));
  return looked;
}

async function noteMails({ mailbox }: Cluster, history: History): Promise<void> {
  for (const { to, raw, at } of mailbox.received) {
    const { messageId = "", subject = "" } = await PostalMime.parse(raw);
    history.add({ what: "mailed", id: messageId, to: to.join(), subject }, at);
  }
}

/** Runs the operator's verification command. */
async function problemsOf({ environment, organizationId }: Cluster): Promise<string[]> {
  const proof = await admin(environment, "verify-audit", "--organization", organizationId).catch((error) => {
    if (!error.stdout) throw error;
    return JSON.parse(error.stdout);
  });
  return proof.problems.map(({ source, reason }: Record<string, string>) => `${source}: ${reason}`);
}
