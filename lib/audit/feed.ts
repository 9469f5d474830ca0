/** The audit feed: newest first, page after page by a cursor that cannot miss an event. */
import { hash } from "node:crypto";
import { select } from "#lib/change.ts";
import type { Context } from "#lib/context.ts";
import { addDays, type Day } from "#lib/dates.ts";
import { invalid } from "#lib/errors.ts";
import { StoredJson } from "#lib/print.ts";
import type { AuditQuery } from "./schema.ts";

const mostRows = 200;

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
}

/** A page of the feed. nextCursor is null on the last one. */
export async function listAuditEvents(ctx: Context, query: AuditQuery) {
  const limit = Math.min(query.limit, mostRows);
  const { where, values } = filterOf(ctx, query);
  const rows = await select<Row>(
    `SELECT seq, id, action, created_at AS "createdAt", actor_id AS "actorId", actor_name AS "actorName",
       actor_email AS "actorEmail", api_key_id AS "apiKeyId", api_key_name AS "apiKeyName",
       contract_id AS "contractId", contract_title AS "contractTitle", payload
     FROM audit_events WHERE ${where} ORDER BY seq DESC LIMIT $${values.length + 1}::int`,
    [...values, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map(eventFrom), nextCursor: last ? cursorAt(ctx, last.seq) : null };
}

function eventFrom(row: Row) {
  return {
    id: row.id,
    action: row.action,
    createdAt: row.createdAt,
    actor: row.actorId && { id: row.actorId, name: row.actorName, email: row.actorEmail },
    apiKey: row.apiKeyId && { id: row.apiKeyId, name: row.apiKeyName },
    contract: row.contractId && { id: row.contractId, title: row.contractTitle },
    payload: typeof row.payload === "string" ? new StoredJson(row.payload) : row.payload,
  };
}

function filterOf(ctx: Context, query: AuditQuery) {
  if (query.from && query.to && query.from > query.to) {
    throw invalid({ path: "from", message: "must not be after to" });
  }
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
  add((p) => `created_at < ${p}::timestamptz`, query.to && addDays(query.to as Day, 1));
  add((p) => `seq < ${p}::bigint`, query.cursor && seqOf(ctx, query.cursor));
  if (query.via) conditions.push(`${query.via === "api" ? "api_key_id" : "actor_id"} IS NOT NULL`);
  return { where: conditions.join(" AND "), values };
}

/** Which workspace a cursor was made for. It guards against mistakes, not against attackers: the filter does. */
const seal = (ctx: Context, seq: string) =>
  hash("sha256", `${ctx.organizationId} ${seq}`, "hex").slice(0, 12);

function cursorAt(ctx: Context, seq: string): string {
  return Buffer.from(`${seq} ${seal(ctx, seq)}`).toString("base64url");
}

function seqOf(ctx: Context, cursor: string): string {
  const [seq = "", sealed] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (!/^\d{1,18}$/.test(seq) || sealed !== seal(ctx, seq)) {
    throw invalid({ path: "cursor", message: "is not a nextCursor of this workspace's audit feed" });
  }
  return seq;
}
