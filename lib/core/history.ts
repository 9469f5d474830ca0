/** Writes a change's audit events, one for each recorded action. */
import type { Actor, Context } from "./context.ts";
import type { Transaction } from "./db.ts";
import { newId } from "./ids.ts";
import { toJsonValue } from "./wire.ts";

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** The audit log's actions. audit/lifecycle.ts adds their names. */
// biome-ignore lint/suspicious/noEmptyInterface: other files add to it.
export interface Actions {}
export type Action = keyof Actions;

/** One action of a change. */
export interface Entry {
  action: Action;
  target: { type: string; id: string };
  /** The contract concerned, with the title that the log will show. */
  contract?: { id: string; title: string } | undefined;
  changes?: Changes | undefined;
  reason?: string | null | undefined;
  /** The affected resource as REST returns it, under its name: for actions that webhooks announce. */
  resource?: Record<string, unknown> | undefined;
  /** Not announced by webhooks: so far visible only to the workspace's members. */
  isInternal?: boolean | undefined;
  /** The resource before the change, where `changes` has its values shortened. */
  before?: object | undefined;
}

/** An action and on whose behalf it was taken. */
export interface Recorded {
  ctx: Context;
  entry: Entry;
}

/** A statement that also writes its audit event if it wrote a row: `ctes` as in changeInOneStatement. */
export function withHistory(ctes: string, firstParameter: number): string {
  const row = auditColumns.map((column, index) => `$${firstParameter + index}::${auditType(column)}`);
  return `WITH ${ctes}, history AS (
    INSERT INTO audit_events (${auditColumns.join(", ")}) SELECT ${row.join(", ")} FROM written)
    SELECT * FROM written`;
}

/**
 * The same for many contracts: `written` may have many rows, and only the events of contracts among them are written.
 */
export function withHistoryOfMany(ctes: string, firstParameter: number): string {
  const arrays = auditColumns.map((_, index) => `$${firstParameter + index}::text[]`);
  return `WITH ${ctes}, history AS (
    INSERT INTO audit_events (${auditColumns.join(", ")}) SELECT ${typedColumns("row").join(", ")}
    FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS row (${auditColumns.join(", ")}, position)
    WHERE row.contract_id IN (SELECT id FROM written) ORDER BY position)
    SELECT * FROM written`;
}

/** The rows of a history, column by column. */
export function auditLists(history: Recorded[]): (string | null)[][] {
  const rows = history.map(({ ctx, entry }) => auditRow(ctx, entry));
  return auditColumns.map((_, index) => rows.map((row) => row[index] ?? null));
}

/** The columns of an audit event that the trigger does not set, in the order of `auditColumns`. */
export function auditRow(ctx: Context, entry: Entry): (string | null)[] {
  const { actor } = ctx;
  const payload = {
    target: entry.target,
    changes: entry.changes ? toJsonValue(entry.changes) : null,
    reason: entry.reason ?? null,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    requestId: ctx.requestId,
    actor: unnamed(actor),
    // Only if there is one, so that an index over these events stays small.
    ...(ctx.assistant ? { assistant: { id: ctx.assistant.id, name: ctx.assistant.name } } : {}),
  };
  const user = actor.kind === "user" ? actor : null;
  const key = actor.kind === "api_key" ? actor : null;
  return [
    ctx.organizationId,
    newId("auditEvent"),
    entry.action,
    ctx.now.toISOString(),
    user?.id ?? null,
    user?.name ?? null,
    user?.email ?? null,
    key?.id ?? null,
    key?.name ?? null,
    entry.contract?.id ?? null,
    entry.contract?.title ?? null,
    JSON.stringify(payload),
  ];
}

/** The payload names an actor that is neither a member nor a key. */
function unnamed(actor: Actor) {
  if (actor.kind === "system") return { kind: "SYSTEM", id: actor.id };
  if (actor.kind !== "signer") return null;
  const { id, name, email } = actor;
  return { kind: "SIGNER", id, name, email };
}

const auditColumns = [
  "organization_id",
  "id",
  "action",
  "created_at",
  "actor_id",
  "actor_name",
  "actor_email",
  "api_key_id",
  "api_key_name",
  "contract_id",
  "contract_title",
  "payload",
];

const auditTypes: Record<string, string> = { created_at: "timestamptz", payload: "json" };
const auditType = (column: string) => auditTypes[column] ?? "text";
const typedColumns = (of: string) => auditColumns.map((column) => `${of}.${column}::${auditType(column)}`);

/**
 * More events than this go through the staging table, which costs the change itself more but does not delay other
 * changes.
 */
const fewEvents = 100;

const stagedAtOnce = 500;

/**
 * Prepares the events in the order in which they were recorded. Returns a function that writes them: it locks the head
 * of the workspace's chain, so all its other changes wait until the commit.
 */
export async function prepareHistory(tx: Transaction, history: Recorded[]): Promise<() => Promise<void>> {
  if (history.length <= fewEvents) return () => insertEvents(tx, "audit_events", history, 0);
  for (let from = 0; from < history.length; from += stagedAtOnce) {
    await insertEvents(tx, "staged_audit_events", history.slice(from, from + stagedAtOnce), from);
  }
  const workspaces = new Set(history.map(({ ctx }) => ctx.organizationId));
  // Rows deleted from staging are moved to the log: a trigger of the table chains them.
  return async () => {
    for (const id of [...workspaces].sort()) {
      await tx.$executeRaw`DELETE FROM staged_audit_events WHERE organization_id = ${id}`;
    }
  };
}

async function insertEvents(
  tx: Transaction,
  table: "audit_events" | "staged_audit_events",
  history: Recorded[],
  from: number,
): Promise<void> {
  if (history.length === 0) return;
  const arrays = auditColumns.map((_, index) => `$${index + 1}::text[]`);
  const isStaged = table === "staged_audit_events";
  await tx.$executeRawUnsafe(
    `INSERT INTO ${table} (${auditColumns.join(", ")}${isStaged ? ", position" : ""})
     SELECT ${typedColumns("row").join(", ")}${isStaged ? `, ${from} + position` : ""}
     FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS row (${auditColumns.join(", ")}, position)
     ORDER BY position`,
    ...auditLists(history),
  );
}
