/** Whether this server can work: its database, that database's schema, its folder. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { query } from "#lib/db.ts";
import { settings } from "#lib/env.ts";

export type Health = Record<"database" | "migrations" | "storage", { ok: boolean; reason?: string }>;

/** Checks each part on its own, so that all reasons are told. A check takes 5 seconds at most. */
export async function checkHealth(): Promise<Health> {
  const [database, migrations, storage] = await Promise.all([
    outcomeOf(() => query("SELECT 1", [])),
    outcomeOf(checkMigrations),
    outcomeOf(checkStorage),
  ]);
  return { database, migrations, storage };
}

async function outcomeOf(check: () => Promise<unknown>): Promise<{ ok: boolean; reason?: string }> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error("no answer within 5 seconds")), 5000);
  try {
    await Promise.race([check(), timer.promise]);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: (error as Error).message || (error as { code?: string }).code || "unknown" };
  } finally {
    clearTimeout(timeout);
  }
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
  if (missing.length > 0) throw new Error(`not applied: ${missing.join(", ")}`);
}

async function checkStorage(): Promise<void> {
  const { DATA_DIR } = settings();
  await mkdir(DATA_DIR, { recursive: true });
  const probe = join(DATA_DIR, `.probe-${randomUUID()}`);
  await writeFile(probe, "");
  await rm(probe);
}
