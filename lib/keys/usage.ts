/**
 * How often a key calls what, by day (UTC): counted, not audited, so that reads show too. Each process counts in
 * memory and adds its counts to the table every few seconds; one that is killed loses those of the last seconds.
 */
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { notFound } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import type { ApiKeyUsage } from "./schema.ts";

interface Count {
  organizationId: string;
  apiKeyId: string;
  day: string;
  operation: string;
  calls: number;
  refused: number;
}

interface Counter {
  counts: Map<string, Count>;
  timer: NodeJS.Timeout | undefined;
}

const writeEveryMs = 5_000;
const keptDays = 90;
const shownDays = 30;

/** Next bundles this file more than once; a process still counts in one place. */
const shared = globalThis as { countersignKeyUsage?: Counter };
shared.countersignKeyUsage ??= { counts: new Map(), timer: undefined };
const counter = shared.countersignKeyUsage;

/** Counts a call; `operation` is its line of the route table: `GET /contracts/{id}`. No one waits for it. */
export function countCall(
  { organizationId, actor: { id: apiKeyId } }: Pick<Context, "organizationId" | "actor">,
  operation: string,
  now: Date,
  isRefused: boolean,
): void {
  const day = dayOf(now);
  add({ organizationId, apiKeyId, day, operation, calls: 1, refused: isRefused ? 1 : 0 });
}

function add(count: Count): void {
  const name = `${count.apiKeyId} ${count.day} ${count.operation}`;
  const known = counter.counts.get(name);
  if (known) {
    known.calls += count.calls;
    known.refused += count.refused;
  } else counter.counts.set(name, count);
  counter.timer ??= setTimeout(() => void writeCounts(), writeEveryMs).unref();
}

/** Adds what was counted to the table. What cannot be written is counted on. Never throws. */
export async function writeCounts(): Promise<void> {
  clearTimeout(counter.timer);
  counter.timer = undefined;
  const counts = [...counter.counts.values()];
  counter.counts.clear();
  if (counts.length === 0) return;
  const column = (name: keyof Count) => counts.map((count) => count[name]);
  try {
    // In one order, so that two servers who add to the same rows wait for each other and no more.
    await housekeeping(
      (store) => store.$executeRaw`
      INSERT INTO api_key_usage (organization_id, api_key_id, day, operation, calls, refused)
      SELECT * FROM unnest(${column("organizationId")}::text[], ${column("apiKeyId")}::text[],
        ${column("day")}::date[], ${column("operation")}::text[], ${column("calls")}::integer[],
        ${column("refused")}::integer[]) ORDER BY 1, 2, 3, 4
      ON CONFLICT (organization_id, api_key_id, day, operation) DO UPDATE
      SET calls = api_key_usage.calls + EXCLUDED.calls, refused = api_key_usage.refused + EXCLUDED.refused`,
    );
  } catch (error) {
    log().warn({ error: (error as Error).message }, "calls by API keys are not written yet");
    for (const count of counts) add(count);
  }
}

/** What a key called in the last 30 days: the newest day first, in a day what it called most. */
export async function readUsage(ctx: Context, { id }: { id: string }): Promise<{ data: ApiKeyUsage[] }> {
  if (!(await reader().apiKey.findFirst({ where: { ...own(ctx), id } }))) throw notFound("API key");
  const since = new Date(ctx.now.getTime() - shownDays * 24 * 60 * 60 * 1000);
  const rows = await reader().apiKeyUsage.findMany({
    where: { ...own(ctx), apiKeyId: id, day: { gte: since } },
    orderBy: [{ day: "desc" }, { calls: "desc" }, { operation: "asc" }],
    select: { day: true, operation: true, calls: true, refused: true },
  });
  return { data: rows.map((row) => ({ ...row, day: dayOf(row.day) })) };
}

export async function forgetOldUsage(now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000);
  await housekeeping((store) => store.apiKeyUsage.deleteMany({ where: { day: { lt: before } } }));
}
