/** Verifies the audit log: recomputes every hash of a workspace's chain and reports the first row that does not fit. */
import { hash } from "node:crypto";
import { query } from "#lib/core/db.ts";

export interface Verdict {
  organizationId: string;
  ok: boolean;
  /** The number of events that fit, from the first one on. */
  events: number;
  /** The number of the last event that fits, and its hash in hex. */
  seq: string;
  head: string;
  problem: { seq: string; id: string | null; reason: string } | null;
}

/** An event as it was written. `columns` are, as text, those that its hash covers after organization, number and id. */
export interface AuditRow {
  seq: string;
  id: string;
  prevHash: Buffer;
  hash: Buffer;
  columns: (string | null)[];
}

/** The columns that a hash covers after organization, number and id. */
export const hashedColumns = [
  ...["action", "created_at", "actor_id", "actor_name", "actor_email", "api_key_id", "api_key_name"],
  ...["contract_id", "contract_title", "payload"],
];

const batch = 1000;

/** An event that is known to be valid, and its hash in hex. */
export interface ChainPosition {
  seq: string;
  hash: string;
}

/** Verifies the log of a workspace in batches: all of it, or the part after a known event. */
export async function verifyAudit(organizationId: string, after?: ChainPosition): Promise<Verdict> {
  let head: Buffer = after ? Buffer.from(after.hash, "hex") : firstHead(organizationId);
  let seq = BigInt(after?.seq ?? 0);
  const verdict = (problem: Verdict["problem"]): Verdict => ({
    organizationId,
    ok: problem === null,
    events: Number(seq),
    seq: seq.toString(),
    head: head.toString("hex"),
    problem,
  });
  for (;;) {
    const rows = await readAfter(organizationId, seq);
    for (const row of rows) {
      const reason = mismatchOf(organizationId, row, seq + 1n, head);
      if (reason) return verdict({ seq: row.seq, id: row.id, reason });
      seq += 1n;
      head = row.hash;
    }
    if (rows.length < batch) break;
  }
  return verdict(await missingAtTheEnd(organizationId, seq, head));
}

/** The previous hash of a workspace's first event. */
export const firstHead = (organizationId: string): Buffer => hash("sha256", organizationId, "buffer");

/** Returns why a row is not the event with this number after this hash; null if it is. */
export function mismatchOf(
  organizationId: string,
  row: AuditRow,
  expected: bigint,
  head: Buffer,
): string | null {
  if (row.seq !== expected.toString()) return `event ${expected} is missing`;
  if (!row.prevHash.equals(head)) return "prev_hash is not the hash of the event before";
  const text = jsonArray([organizationId, row.seq, row.id, ...row.columns]);
  const computed = hash("sha256", Buffer.concat([head, Buffer.from(text)]), "buffer");
  return computed.equals(row.hash) ? null : "the row does not have the hash that it was written with";
}

/** Formats an array as PostgreSQL's json_build_array does. */
const jsonArray = (values: (string | null)[]) =>
  `[${values.map((value) => JSON.stringify(value)).join(", ")}]`;

async function readAfter(organizationId: string, seq: bigint): Promise<AuditRow[]> {
  const rows = await query<Record<string, string | null> & { prev_hash: Buffer; hash: Buffer }>(
    `SELECT seq, id, ${hashedColumns.join(", ")}, prev_hash, hash
     FROM audit_events WHERE organization_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT ${batch}`,
    [organizationId, seq.toString()],
  );
  return rows.map(({ seq, id, prev_hash, hash, ...columns }) => ({
    seq: seq ?? "",
    id: id ?? "",
    prevHash: prev_hash,
    hash,
    columns: Object.values(columns),
  }));
}

async function missingAtTheEnd(organizationId: string, seq: bigint, head: Buffer) {
  const [row] = await query<{ seq: string; hash: Buffer }>(
    "SELECT seq, hash FROM workspace_heads WHERE organization_id = $1",
    [organizationId],
  );
  if (!row) return { seq: "0", id: null, reason: "there is no such workspace" };
  // A change that committed during the verification moved the head; the events read so far still fit.
  if (BigInt(row.seq) < seq || (BigInt(row.seq) === seq && !row.hash.equals(head))) {
    return { seq: row.seq, id: null, reason: "the head of the chain is not the last event's" };
  }
  if (BigInt(row.seq) > seq) {
    const [next] = await query<{ id: string }>(
      "SELECT id FROM audit_events WHERE organization_id = $1 AND seq = $2::bigint",
      [organizationId, (seq + 1n).toString()],
    );
    if (!next) return { seq: (seq + 1n).toString(), id: null, reason: `event ${seq + 1n} is missing` };
  }
  return null;
}
