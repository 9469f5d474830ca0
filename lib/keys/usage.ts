/**
 * Counts how often a key calls each operation, by day (UTC). Unlike the audit log, this includes reads. Each process
 * counts in memory and adds its counts to the table every few seconds; a killed process loses its last few seconds.
 */
import { reader } from "#lib/core/change.ts";
import { outageOf } from "#lib/core/connections/outage.ts";
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
  /** Set while a write is scheduled. */
  timer?: NodeJS.Timeout | undefined;
  /** The write in progress. */
  writing?: Promise<void> | undefined;
}

const writeEveryMs = 5_000;
const keptDays = 90;
const shownDays = 30;

const counter: Counter = { counts: new Map() };

/** Counts a call without waiting for a write. `operation` is the route's method and path: `GET /contracts/{id}`. */
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
  writeSoon();
}

function writeSoon(): void {
  if (counter.writing || counter.counts.size === 0) return;
  counter.timer ??= setTimeout(() => void writeCounts(), writeEveryMs).unref();
}

/** Adds all counts so far to the table. Keeps counts that cannot be written for the next time. Never throws. */
export async function writeCounts(): Promise<void> {
  await counter.writing;
  clearTimeout(counter.timer);
  counter.timer = undefined;
  counter.writing = writeByWorkspace().finally(() => {
    counter.writing = undefined;
    writeSoon();
  });
  await counter.writing;
}

async function writeByWorkspace(): Promise<void> {
  const counts = [...counter.counts.values()];
  counter.counts.clear();
  const failures: Error[] = [];
  for (const [organizationId, own] of Map.groupBy(counts, (count) => count.organizationId)) {
    // During a database outage, only the first workspace waits for the connection to fail.
    const failure = failures.find(isOutage) ?? (await failureOf(addToTable(organizationId, own)));
    if (!failure) continue;
    failures.push(failure);
    for (const count of own) add(count);
  }
  if (failures[0])
    log().warn({ error: failures[0].message }, "the usage of API keys could not be stored yet");
}

const isOutage = (error: Error) => outageOf(error) === "database";

const failureOf = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error) => error,
  );

async function addToTable(organizationId: string, counts: Count[]): Promise<void> {
  const column = (name: keyof Count) => counts.map((count) => count[name]);
  // A fixed order, so that two servers that add to the same rows wait for each other but do not deadlock.
  await housekeeping(
    (store) => store.$executeRaw`
      INSERT INTO api_key_usage (organization_id, api_key_id, day, operation, calls, refused)
      SELECT ${organizationId}::text, * FROM unnest(${column("apiKeyId")}::text[], ${column("day")}::date[],
        ${column("operation")}::text[], ${column("calls")}::integer[], ${column("refused")}::integer[])
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (organization_id, api_key_id, day, operation) DO UPDATE
      SET calls = api_key_usage.calls + EXCLUDED.calls, refused = api_key_usage.refused + EXCLUDED.refused`,
  );
}

/** Returns a key's calls in the last 30 days: newest day first, and within a day the most called operation first. */
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
