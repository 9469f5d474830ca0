/** The audit feed: newest first, in pages with a cursor that skips no event. */
import { hash } from "node:crypto";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { SerializedRowCache, StoredJson, serialize } from "#lib/core/serialize.ts";
import { AuditEvent, type AuditQuery } from "./schema.ts";

interface Row {
  id: string;
  seq: string;
  action: string;
  createdAt: string;
  actorId: string | null;
  actorName: string | null;
  actorEmail: string | null;
  apiKeyId: string | null;
  apiKeyName: string | null;
  contractId: string | null;
  contractTitle: string | null;
  payload: unknown;
  assistant: string | null;
}

/** Returns a page of the feed. nextCursor is null on the last page. */
export async function listAuditEvents(ctx: Context, query: AuditQuery) {
  const { limit } = query;
  const seqs = await seqsOf(ctx, query, limit + 1);
  const shown = seqs.slice(0, limit);
  const last = seqs.length > limit ? shown.at(-1) : undefined;
  return { data: await printed(ctx, shown), nextCursor: last ? cursorAt(ctx, last) : null };
}

/** Counts the events that a query finds, on all pages. */
export async function countAuditEvents(ctx: Context, query: AuditQuery): Promise<number> {
  const { where, values } = filterOf(ctx, query);
  const last = `$${values.length + 1}::bigint`;
  const [row] = await select<{ count: number }>(
    `SELECT count(*)::int AS count FROM audit_events
     WHERE ${where} AND (${last} IS NULL OR seq <= ${last})`,
    [...values, ctx.seq],
  );
  return row?.count ?? 0;
}

/** Returns the numbers of the events to show, newest first, at most `count`. */
async function seqsOf(ctx: Context, query: AuditQuery, count: number): Promise<number[]> {
  const { where, values, isUnfiltered } = filterOf(ctx, query);
  const next = ctx.seq === null ? null : ctx.seq + 1;
  const from = query.cursor === undefined ? null : seqOf(ctx, query.cursor);
  // A cursor from before a backup was restored may name an event that no longer exists.
  const before = from === null || next === null ? (from ?? next) : Math.min(from, next);
  if (isUnfiltered && before !== null) {
    // The numbers have no gaps, so the feed without a filter needs no query.
    return Array.from({ length: Math.min(count, before - 1) }, (_, index) => before - 1 - index);
  }
  const rows = await select<{ seq: string }>(
    `SELECT seq FROM audit_events WHERE ${where} AND ($${values.length + 1}::bigint IS NULL
       OR seq < $${values.length + 1}::bigint) ORDER BY seq DESC LIMIT $${values.length + 2}::int`,
    [...values, before, count],
  );
  return rows.map(({ seq }) => Number(seq));
}

/** Caches serialized events, which never change. */
const printedRows = new SerializedRowCache<number>();

function printed(ctx: Context, seqs: number[]): Promise<StoredJson[]> {
  const keyOf = (seq: number) => `${ctx.organizationId} ${seq}`;
  return printedRows.of(new Map(seqs.map((seq) => [seq, keyOf(seq)])), async (missing) => {
    const rows = await select<Row>(
      `SELECT seq, id, action, created_at AS "createdAt", actor_id AS "actorId", actor_name AS "actorName",
         actor_email AS "actorEmail", api_key_id AS "apiKeyId", api_key_name AS "apiKeyName",
         contract_id AS "contractId", contract_title AS "contractTitle", payload, payload ->> 'assistant' AS assistant
       FROM audit_events WHERE organization_id = $1 AND seq = ANY($2::bigint[])`,
      [ctx.organizationId, missing],
    );
    return rows.map((row) => {
      const seq = Number(row.seq);
      return { id: seq, key: keyOf(seq), text: new StoredJson(serialize(AuditEvent, eventFrom(row))) };
    });
  });
}

function eventFrom(row: Row) {
  return {
    id: row.id,
    action: row.action,
    createdAt: row.createdAt,
    actor: row.actorId && { id: row.actorId, name: row.actorName, email: row.actorEmail },
    apiKey: row.apiKeyId && { id: row.apiKeyId, name: row.apiKeyName },
    contract: row.contractId && { id: row.contractId, title: row.contractTitle },
    assistant: row.assistant && JSON.parse(row.assistant),
    payload: payloadOf(row),
  };
}

/** The payload as it was written. It contains the assistant so that the hash chain covers it; `eventFrom` moves it. */
function payloadOf({ payload, assistant }: Row): unknown {
  if (typeof payload !== "string") return payload;
  return assistant ? JSON.parse(payload) : new StoredJson(payload);
}

/** The SQL condition of each way. That for assistants matches the expression of their index. */
const ways: Record<NonNullable<AuditQuery["via"]>, string> = {
  api: "api_key_id IS NOT NULL",
  assistant: "(payload ->> 'assistant') IS NOT NULL",
  user: "actor_id IS NOT NULL AND (payload ->> 'assistant') IS NULL",
};

function filterOf(ctx: Context, query: AuditQuery) {
  const values: unknown[] = [ctx.organizationId];
  const conditions = ["organization_id = $1"];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add((p) => `action = ANY(${p}::text[])`, query.action);
  add((p) => `actor_id = ${p}`, query.actorId);
  add((p) => `api_key_id = ${p}`, query.apiKeyId);
  add((p) => `contract_id = ${p}`, query.contractId);
  add((p) => `created_at >= ${p}::timestamptz`, query.from);
  add((p) => `created_at < ${p}::timestamptz + interval '1 day'`, query.to);
  if (query.via) conditions.push(ways[query.via]);
  return { where: conditions.join(" AND "), values, isUnfiltered: conditions.length === 1 };
}

/** Marks the workspace of a cursor. This guards against mistakes; the filter by workspace guards against attackers. */
const seal = (ctx: Context, seq: number) =>
  hash("sha256", `${ctx.organizationId} ${seq}`, "hex").slice(0, 12);

/** The cursor of the page that starts after this event. */
export function cursorAt(ctx: Context, seq: number): string {
  return Buffer.from(`${seq} ${seal(ctx, seq)}`).toString("base64url");
}

/** The number of a cursor's event. Throws if the cursor is not from this workspace's feed. */
export function seqOf(ctx: Context, cursor: string): number {
  const seq = Number.parseInt(Buffer.from(cursor, "base64url").toString(), 10);
  if (Number.isSafeInteger(seq) && cursor === cursorAt(ctx, seq)) return seq;
  throw invalid({ path: "cursor", message: "is not a nextCursor of this feed" });
}
