/** What a change writes into the audit log: an event for each thing that it did. */
import type { Actor, Context } from "./context.ts";
import type { Transaction } from "./db.ts";
import { newId } from "./ids.ts";
import { wire } from "./wire.ts";

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** What the log calls the things that are done: the audit log's own list adds its names (audit/lifecycle.ts). */
// biome-ignore lint/suspicious/noEmptyInterface: other files add to it.
export interface Actions {}
export type Action = keyof Actions;

/** One thing that a change did. */
export interface Entry {
  action: Action;
  target: { type: string; id: string };
  /** The contract it concerns, with the title that the log will show. */
  contract?: { id: string; title: string } | undefined;
  changes?: Changes | undefined;
  reason?: string | null | undefined;
  /** What it was done to, as REST returns it, under its name: for the actions that webhooks tell of. */
  resource?: Record<string, unknown> | undefined;
  /** Of what only this workspace's people are to know yet: webhooks do not tell of it. */
  isInternal?: boolean | undefined;
  /** The resource before, where `changes` shortens what its fields were. */
  before?: object | undefined;
}

/** What was done, and on whose behalf. */
export interface Recorded {
  ctx: Context;
  entry: Entry;
}

/** A statement that also writes what it did, where it did it: `ctes` as of changeInOneStatement. */
export function withHistory(ctes: string, firstParameter: number): string {
  const row = auditColumns.map((column, index) => `$${firstParameter + index}::${auditType(column)}`);
  return `WITH ${ctes}, history AS (
    INSERT INTO audit_events (${auditColumns.join(", ")}) SELECT ${row.join(", ")} FROM written)
    SELECT * FROM written`;
}

/** The same for many: `written` may have many rows, and the history of those whose contract is among them is written. */
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
    changes: entry.changes ? wire(entry.changes) : null,
    reason: entry.reason ?? null,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    requestId: ctx.requestId,
    actor: unnamed(actor),
    // Only where there is one, so that an index over these events is small.
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

/** Whoever is neither a member nor a key is told in the payload. */
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

/** More events than this go through the staging, where each of them costs the change more and the others nothing. */
const fewEvents = 100;

const stagedAtOnce = 2_000;

/**
 * Makes ready what is to be written, in the order in which it was recorded. Answers how to write it: that takes the end
 * of the workspace's chain, for which all its other changes wait until the commit.
 */
export async function prepareHistory(tx: Transaction, history: Recorded[]): Promise<() => Promise<void>> {
  if (history.length <= fewEvents) return () => insertEvents(tx, "audit_events", history, 0);
  for (let from = 0; from < history.length; from += stagedAtOnce) {
    await insertEvents(tx, "staged_audit_events", history.slice(from, from + stagedAtOnce), from);
  }
  const workspaces = new Set(history.map(({ ctx }) => ctx.organizationId));
  // What leaves the staging enters the log: a trigger of the table chains it.
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
