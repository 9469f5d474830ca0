import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { withClient } from "./client.ts";
import { statementsOf } from "./statements.ts";

/**
 * Applies prisma/migrations to a database and records them in Prisma's own `_prisma_migrations` table. A migration and
 * its record are one transaction: whenever the process dies, both are there or neither. (So a migration cannot contain
 * a COMMIT.) Indexes that are created concurrently have their own migrations, which can be repeated (rolling.ts).
 */
export const migrationsFolder = join(import.meta.dirname, "migrations");

type Migration = { name: string; sql: string };
type Applied = { migration_name: string; checksum: string };

const application = "countersign migrations";
const migrationLock = 7_201_003;

/** Returns the names of the migrations that this call applied. Servers that start together wait for the first one. */
export async function migrate(
  url: string | undefined,
  log: (line: string) => void = () => undefined,
  folder = migrationsFolder,
): Promise<string[]> {
  return withClient(url, application, async (client) => {
    await lock(client);
    const migrations = await readMigrations(folder);
    const pending = await findPending(client, migrations);
    if (pending.length > 0) await client.query(table);
    const isNew = pending.length > 0 && pending.length === migrations.length;
    if (isNew) log("creating the tables");
    for (const migration of pending) {
      if (!isNew) log(`applying migration ${migration.name}`);
      await apply(client, migration);
    }
    return pending.map(({ name }) => name);
  });
}

/** Polls for the lock: creating an index concurrently would wait for any statement that itself waits for the lock. */
async function lock(client: pg.Client): Promise<void> {
  const ask = () => client.query("SELECT pg_try_advisory_lock($1) AS taken", [migrationLock]);
  while (!(await ask()).rows[0].taken) await pause(100);
}

/** The names of the migrations still to be applied. Throws if an applied migration was changed afterwards. */
export async function pendingMigrations(
  url: string | undefined,
  folder = migrationsFolder,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const pending = await withClient(url, application, (client) => findPending(client, migrations));
  return pending.map(({ name }) => name);
}

async function readMigrations(folder: string): Promise<Migration[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: (await readFile(join(folder, name, "migration.sql"), "utf8")).replaceAll("\r\n", "\n"),
    })),
  );
}

async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const applied = new Map((await readApplied(client)).map((row) => [row.migration_name, row.checksum]));
  const changed = migrations.filter(
    ({ name, sql }) => applied.has(name) && applied.get(name) !== checksum(sql),
  );
  if (changed.length > 0) {
    const names = changed.map(({ name }) => name).join(", ");
    throw new Error(
      `Changed after it was applied: migration ${names}. Restore the file and add a new migration.`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function readApplied(client: pg.Client): Promise<Applied[]> {
  if (!(await hasTable(client))) return [];
  const { rows } = await client.query<Applied>(
    "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  return rows;
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  return rows[0].present;
}

const checksum = (sql: string) => createHash("sha256").update(sql).digest("hex");

/** As Prisma creates it. Marks migrations begun but not finished as rolled back, as their transactions were. */
const table = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0);
  UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

const note = `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, clock_timestamp(), 1)`;

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  const noted = [randomUUID(), checksum(sql), name];
  const statements = statementsOf(sql);
  try {
    if (statements.some(({ code }) => /\bCONCURRENTLY\b/i.test(code))) {
      for (const { text } of statements) await client.query(text);
      await client.query(note, noted);
    } else await withLocks(client, sql, noted);
  } catch (error) {
    throw explain(name, sql, error as pg.DatabaseError);
  }
}

/** Requests queue behind a statement that waits for a table's lock, so limit how long and how often to wait for it. */
const lockTimeoutMs = 2000;
const lockAttempts = 60;

async function withLocks(client: pg.Client, sql: string, noted: string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await client.query(sql);
      await client.query(note, noted);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      // A lock timeout or a deadlock.
      const isBusy = ["55P03", "40P01"].includes((error as pg.DatabaseError).code ?? "");
      if (!isBusy || attempt === lockAttempts) throw error;
      await pause(500);
    }
  }
}

function explain(name: string, script: string, error: pg.DatabaseError): Error {
  const line = error.position && script.slice(0, Number(error.position)).split("\n").length;
  const place = line ? `, line ${line}` : "";
  return new Error(`Migration ${name} failed${place}, and was rolled back: ${error.message}`, {
    cause: error,
  });
}
