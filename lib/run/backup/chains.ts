/**
 * Recomputes the hash chains in a backup's rows: those of the audit logs and of the histories of signature requests.
 * Tables that are compared are copied in the same order, so a backup of any size is read only once.
 */
import { createGunzip } from "node:zlib";
import { type AuditRow, firstHead, hashedColumns, mismatchOf } from "#lib/audit/verify.ts";
import { timestampFromText } from "#lib/core/db.ts";
import { type ChainedEvent, firstBrokenLink } from "#lib/signatures/chain.ts";
import { type Manifest, openFile, type Place, rowsFolder } from "./place.ts";

type Table = Manifest["tables"][number];

/** A row by column name. Each value is text as PostgreSQL prints it. */
type Row = Record<string, string | null>;

/** The order in which the rows of these tables are copied. */
export const rowOrder: Record<string, readonly string[]> = {
  "public.workspace_heads": ["organization_id"],
  "public.audit_events": ["organization_id", "seq"],
  "public.envelopes": ["organization_id", "id"],
  "public.signing_events": ["organization_id", "envelope_id", "number"],
};

/** Returns a description of each inconsistent chain. */
export async function brokenChains(place: Place, tables: readonly Table[]): Promise<string[]> {
  const read = (name: string) => {
    const table = tables.find((one) => one.name === `public.${name}`);
    return table ? rowsIn(place, table) : none();
  };
  return [
    ...(await brokenLogs(read("workspace_heads"), read("audit_events"))),
    ...(await brokenHistories(read("envelopes"), read("signing_events"))),
  ];
}

async function* none(): AsyncGenerator<Row> {}

async function brokenLogs(heads: AsyncIterable<Row>, events: AsyncGenerator<Row>): Promise<string[]> {
  const problems: string[] = [];
  const following = groupsOf(events, ({ organization_id }) => organization_id!);
  for await (const { organization_id, seq, hash } of heads) {
    const organizationId = organization_id!;
    let head = firstHead(organizationId);
    let count = 0n;
    let problem: string | null = null;
    for await (const row of following(organizationId)) {
      const event = auditRow(row);
      problem ??= mismatchOf(organizationId, event, count + 1n, head);
      count += 1n;
      head = event.hash;
    }
    const isWhole = String(count) === seq && head.equals(bytesOf(hash));
    problem ??= isWhole ? null : `the log has ${count} events, and its head is that of ${seq}`;
    if (problem) problems.push(`The audit log of ${organizationId}: ${problem}`);
  }
  return [...problems, ...(await strays(following.rest()))];
}

const auditRow = (row: Row): AuditRow => ({
  seq: row.seq ?? "",
  id: row.id ?? "",
  prevHash: bytesOf(row.prev_hash),
  hash: bytesOf(row.hash),
  columns: hashedColumns.map((name) =>
    name === "created_at" ? timestampFromText(row[name]!) : (row[name] ?? null),
  ),
});

async function brokenHistories(requests: AsyncIterable<Row>, events: AsyncGenerator<Row>): Promise<string[]> {
  const problems: string[] = [];
  const key = (organizationId: string | null | undefined, id: string | null | undefined) =>
    `${organizationId} ${id}`;
  const following = groupsOf(events, (row) => key(row.organization_id, row.envelope_id));
  for await (const request of requests) {
    const [organizationId, envelopeId] = [request.organization_id!, request.id!];
    problems.push(...(await brokenDrafts(following.before(key(organizationId, envelopeId)))));
    const told: ChainedEvent[] = [];
    for await (const row of following(key(organizationId, envelopeId))) told.push(toldEvent(row));
    const isWhole =
      String(told.length) === request.event_count && (told.at(-1)?.hash ?? null) === request.event_hash;
    const problem = isWhole ? firstBrokenLink({ organizationId, envelopeId }, told) : "Events are missing.";
    if (problem) problems.push(`The history of the signature request ${envelopeId}: ${problem}`);
  }
  return [...problems, ...(await brokenDrafts(following.rest()))];
}

/** Checks histories whose request is missing. Deleting a draft keeps its history; a sent request is never deleted. */
async function brokenDrafts(rows: AsyncIterable<Row>): Promise<string[]> {
  const histories = new Map<string, { organizationId: string; envelopeId: string; told: ChainedEvent[] }>();
  for await (const row of rows) {
    const [organizationId, envelopeId] = [row.organization_id!, row.envelope_id!];
    const name = `${organizationId} ${envelopeId}`;
    const history = histories.get(name) ?? { organizationId, envelopeId, told: [] };
    histories.set(name, history);
    history.told.push(toldEvent(row));
  }
  return [...histories.values()].flatMap(({ told, ...of }) => {
    const wasSent = told.some(({ type }) => type === "SENT");
    const problem = wasSent ? "It was sent, and the request is gone." : firstBrokenLink(of, told);
    return problem ? [`The history of the signature request ${of.envelopeId}: ${problem}`] : [];
  });
}

const toldEvent = (row: Row): ChainedEvent => ({
  id: row.id!,
  signerId: row.signer_id ?? null,
  type: row.type!,
  actor: JSON.parse(row.actor!),
  ipAddress: row.ip_address ?? null,
  userAgent: row.user_agent ?? null,
  details: row.details ? JSON.parse(row.details) : null,
  prevHash: row.prev_hash ?? null,
  hash: row.hash!,
  createdAt: timestampFromText(row.created_at!),
});

/** Groups sorted rows by key. Each function yields the next rows as long as their key matches. */
function groupsOf(rows: AsyncGenerator<Row>, keyOf: (row: Row) => string) {
  let next: IteratorResult<Row> | undefined;
  const advance = async () => {
    next = await rows.next();
  };
  async function* takeWhile(wanted: (key: string) => boolean): AsyncGenerator<Row> {
    if (!next) await advance();
    while (!next!.done && wanted(keyOf(next!.value))) {
      yield next!.value;
      await advance();
    }
  }
  const following = (key: string) => takeWhile((found) => found === key);
  const before = (key: string) => takeWhile((found) => found < key);
  return Object.assign(following, { before, rest: () => takeWhile(() => true) });
}

/** Reports events whose workspace is missing from the backup or out of order. */
async function strays(rows: AsyncIterable<Row>): Promise<string[]> {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count > 0 ? [`${count} events of audit logs belong to nothing in the backup`] : [];
}

async function* rowsIn(place: Place, { sha256, columns }: Table): AsyncGenerator<Row> {
  const packed = await openFile(place, rowsFolder, sha256);
  if (!packed) return;
  const unpacked = packed.pipe(createGunzip());
  packed.once("error", (error) => unpacked.destroy(error));
  const names = columns.map((name) => name.replaceAll('"', ""));
  for await (const line of linesOf(unpacked)) {
    const values = line.split("\t").map(unescaped);
    yield Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
  }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const chunk of bytes) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split("\n");
    begun = lines.pop()!;
    yield* lines;
  }
}

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Decodes a value of COPY's text format, where a backslash escapes what would end a value or a row. */
function unescaped(value: string): string | null {
  if (value === "\\N") return null;
  return value.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}

const bytesOf = (text: string | null | undefined): Buffer =>
  Buffer.from((text ?? "").replace(/^\\x/, ""), "hex");
