/** Checks whether this server can work: the database, its migrations and the data folder. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { query } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";

type Part = "database" | "migrations" | "storage";

export type Health = Record<Part, { ok: boolean; reason?: string }>;

/** The reason why a part cannot work. It is public, so it names no host, port or folder. */
class Unready extends Error {}

let checking: Promise<Health> | undefined;

/**
 * Checks each part separately, so that all problems are reported. A check takes 5 seconds at most. Requests during a
 * check share its result, since anyone may send any number of them.
 */
export function checkHealth(): Promise<Health> {
  checking ??= check().finally(() => {
    checking = undefined;
  });
  return checking;
}

async function check(): Promise<Health> {
  const [database, migrations, storage] = await Promise.all([
    outcomeOf("database", checkDatabase),
    outcomeOf("migrations", checkMigrations),
    outcomeOf("storage", checkStorage),
  ]);
  return { database, migrations, storage };
}

async function outcomeOf(
  part: Part,
  check: () => Promise<unknown>,
): Promise<{ ok: boolean; reason?: string }> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Unready("no answer within 5 seconds")), 5000);
  try {
    await Promise.race([check(), timer.promise]);
    logChange(part, null);
    return { ok: true };
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    logChange(part, { kind: code ?? message, problem: message || (code ?? "unknown") });
    return { ok: false, reason: error instanceof Unready ? message : reasonOf(part, code) };
  } finally {
    clearTimeout(timeout);
  }
}

const folderReasons: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EROFS: "the disk is read-only",
  EACCES: "the data folder is not writable",
  EPERM: "the data folder is not writable",
};

function reasonOf(part: Part, code: string | undefined): string {
  const more = code && /^[A-Z0-9_]{4,40}$/.test(code) ? ` (${code})` : "";
  if (part === "storage") return folderReasons[code ?? ""] ?? `the data folder cannot be written to${more}`;
  return `the database cannot be used${more}`;
}

/** The problem of each part that was logged last. */
const unready = new Map<Part, string>();

/** Logs a problem in full each time it changes. */
function logChange(part: Part, what: { kind: string; problem: string } | null): void {
  const before = unready.get(part);
  if (what === null) unready.delete(part);
  else unready.set(part, what.kind);
  if (what && what.kind !== before)
    log().warn({ alert: "not ready", part, problem: what.problem }, "not ready");
}

/**
 * Rejects a standby, which answers queries but accepts no writes, and a time zone other than UTC, with which days would
 * be wrong.
 */
async function checkDatabase(): Promise<void> {
  const [row] = await query<{ readOnly: string; timeZone: string }>(
    `SELECT current_setting('transaction_read_only') AS "readOnly", current_setting('TimeZone') AS "timeZone"`,
    [],
  );
  if (row?.readOnly !== "off") throw new Unready("the database is read-only");
  if (!/^(Etc\/)?(UTC|GMT)$/.test(row.timeZone)) throw new Unready("the database's time zone is not UTC");
}

async function checkMigrations(): Promise<void> {
  const entries = await readdir(join(process.cwd(), "prisma", "migrations"), { withFileTypes: true });
  const known = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const rows = await query<{ migration_name: string }>(
    "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
    [],
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  const missing = known.filter((name) => !applied.has(name));
  if (missing.length > 0) throw new Unready(`not applied: ${missing.join(", ")}`);
}

/** Writes a byte: a full disk may still have room for an empty file. */
async function checkStorage(): Promise<void> {
  const { DATA_DIR } = settings();
  await mkdir(DATA_DIR, { recursive: true });
  const probe = join(DATA_DIR, `.probe-${randomUUID()}`);
  try {
    await writeFile(probe, "1", { flush: true });
  } finally {
    await rm(probe, { force: true });
  }
}
