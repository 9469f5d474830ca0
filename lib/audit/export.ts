/** Exports the audit log as rows of a table, of any length, one page of the feed at a time. */
import type { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import { countAuditEvents, listAuditEvents } from "./feed.ts";
import type { AuditEvent, AuditQuery } from "./schema.ts";

type Event = z.output<typeof AuditEvent>;

const columns: Record<string, (event: Event) => string | null> = {
  createdAt: ({ createdAt }) => createdAt,
  action: ({ action }) => action,
  actorName: ({ actor }) => actor?.name ?? null,
  actorEmail: ({ actor }) => actor?.email ?? null,
  apiKey: ({ apiKey }) => apiKey?.name ?? null,
  assistant: ({ assistant }) => assistant?.name ?? null,
  contractId: ({ contract }) => contract?.id ?? null,
  contract: ({ contract }) => contract?.title ?? null,
  targetType: ({ payload }) => payload.target.type,
  targetId: ({ payload }) => payload.target.id,
  changes: ({ payload }) => payload.changes && JSON.stringify(payload.changes),
  reason: ({ payload }) => payload.reason,
  ip: ({ payload }) => payload.ip,
  userAgent: ({ payload }) => payload.userAgent,
  requestId: ({ payload }) => payload.requestId,
  id: ({ id }) => id,
};

/**
 * Exports all events that match the feed's filter, newest first, whichever page a cursor points to. Events recorded
 * meanwhile are left out.
 */
export async function exportAuditEvents(ctx: Context, { cursor: _, ...query }: AuditQuery) {
  const rowCount = await countAuditEvents(ctx, query);
  return { target: "audit_events", columns: Object.keys(columns), rowCount, batches: rowsOf(ctx, query) };
}

async function* rowsOf(ctx: Context, query: Omit<AuditQuery, "cursor">) {
  let cursor: string | null | undefined;
  do {
    const page = await listAuditEvents(ctx, { ...query, limit: 200, ...(cursor ? { cursor } : {}) });
    const events = page.data.flatMap((stored): Event[] => (stored ? [JSON.parse(stored.text)] : []));
    yield events.map((event) => Object.values(columns).map((cell) => cell(event)));
    cursor = page.nextCursor;
  } while (cursor);
}
