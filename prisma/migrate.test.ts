import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { type EmbeddedPostgres, openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate, pendingMigrations } from "./migrate.ts";

const withTrigger = `
CREATE TABLE note (id uuid PRIMARY KEY DEFAULT uuidv7(), body text NOT NULL);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- a semicolon; in a comment
  RAISE EXCEPTION 'notes stay; % is refused', TG_OP;
END;
$$;
CREATE TRIGGER note_stays BEFORE DELETE ON note FOR EACH ROW EXECUTE FUNCTION refuse();
INSERT INTO note (body) VALUES ('a;b');
-- the last line has no end`.trim();

let scratch: string;
let postgres: EmbeddedPostgres;

test.beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "countersign-migrate-"));
  postgres = await openPostgres(join(scratch, "data"));
});

test.afterAll(async () => {
  await postgres?.close();
  await rm(scratch, { recursive: true, force: true });
});

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A database of its own for each test, and a folder of migrations. */
async function prepare(name: string, files: Record<string, string>) {
  await ask(postgres.url, `CREATE DATABASE ${name}`);
  const folder = join(scratch, name);
  const add = async (migration: string, sql: string) => {
    await mkdir(join(folder, migration), { recursive: true });
    await writeFile(join(folder, migration, "migration.sql"), sql);
  };
  for (const [migration, sql] of Object.entries(files)) await add(migration, sql);
  return { url: postgres.url.replace("/countersign?", `/${name}?`), folder, add };
}

test("migrations apply once and in order, with functions and triggers intact", async () => {
  const { url, folder } = await prepare("once", {
    "2_more": "INSERT INTO note (body) VALUES ('c')",
    "1_first": withTrigger,
  });
  expect(await pendingMigrations(url, folder)).toEqual(["1_first", "2_more"]);
  expect(await migrate(url, undefined, folder)).toEqual(["1_first", "2_more"]);
  expect(await pendingMigrations(url, folder)).toEqual([]);
  expect(await migrate(url, undefined, folder)).toEqual([]);
  expect(await ask(url, "SELECT body FROM note ORDER BY body")).toEqual([{ body: "a;b" }, { body: "c" }]);
  await expect(ask(url, "DELETE FROM note")).rejects.toThrow("notes stay; DELETE is refused");
});

test("creating a database logs one line, and each later migration logs its own", async () => {
  const { url, folder, add } = await prepare("said", { "1_first": withTrigger, "2_more": "SELECT 1" });
  const said: string[] = [];
  await migrate(url, (line) => said.push(line), folder);
  await add("3_later", "SELECT 1");
  await migrate(url, (line) => said.push(line), folder);
  expect(said).toEqual(["creating the tables", "applying migration 3_later"]);
});

test("servers that start together apply each migration once", async () => {
  const { url, folder } = await prepare("together", { "1_first": withTrigger });
  const applied = await Promise.all([1, 2, 3].map(() => migrate(url, undefined, folder)));
  expect(applied.flat()).toEqual(["1_first"]);
});

test("a migration edited after it was applied is refused with its name", async () => {
  const { url, folder } = await prepare("changed", { "1_first": withTrigger });
  await migrate(url, undefined, folder);
  await appendFile(join(folder, "1_first", "migration.sql"), "\n-- changed");
  await expect(pendingMigrations(url, folder)).rejects.toThrow("1_first");
  await expect(migrate(url, undefined, folder)).rejects.toThrow("1_first");
});

test("a failed migration changes nothing, reports the failing line, and applies once corrected", async () => {
  const { url, folder, add } = await prepare("failing", {
    "1_first": "CREATE TABLE a ();\nCREATE TABEL b ();",
  });
  await expect(migrate(url, undefined, folder)).rejects.toThrow("Migration 1_first failed, line 2");
  expect(await ask(url, "SELECT to_regclass('a') AS a")).toEqual([{ a: null }]);
  await add("1_first", "CREATE TABLE a ();\nCREATE TABLE b ();");
  expect(await migrate(url, undefined, folder)).toEqual(["1_first"]);
});

test("a migration interrupted by a killed database connection is reapplied from its beginning", async () => {
  const { url, folder, add } = await prepare("interrupted", {
    "1_first": "CREATE TABLE a (); SELECT pg_terminate_backend(pg_backend_pid());",
  });
  await expect(migrate(url, undefined, folder)).rejects.toThrow("1_first");
  await add("1_first", "CREATE TABLE a ();");
  expect(await migrate(url, undefined, folder)).toEqual(["1_first"]);
});

test("a migration waits for a busy table without blocking other queries, and applies once it is free", async () => {
  const { url, folder } = await prepare("busy", { "1_first": "CREATE TABLE busy (a int)" });
  await migrate(url, undefined, folder);
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query("BEGIN; SELECT * FROM busy");
  await mkdir(join(folder, "2_more"));
  await writeFile(join(folder, "2_more", "migration.sql"), "ALTER TABLE busy ADD COLUMN b int");
  const migrating = migrate(url, undefined, folder);
  const waits = "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'busy'::regclass";
  await expect.poll(async () => (await ask(url, waits))[0].n).toBe(1);
  // It stands in line behind the reader, and this one behind it: until the migration gives up its place.
  expect(await ask(url, "SELECT * FROM busy")).toEqual([]);
  await reader.query("COMMIT");
  expect(await migrating).toEqual(["2_more"]);
  await reader.end();
});

test("one of several servers builds an index concurrently, also after a failed attempt", async () => {
  const sql =
    "DROP INDEX CONCURRENTLY IF EXISTS by_a;\nCREATE UNIQUE INDEX CONCURRENTLY by_a ON rows (a); -- end";
  const { url, folder } = await prepare("beside", {
    "1_first": "CREATE TABLE rows (a int); INSERT INTO rows VALUES (1), (1)",
    "2_index": sql,
  });
  await expect(migrate(url, undefined, folder)).rejects.toThrow("2_index");
  const index = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('by_a')";
  expect(await ask(url, index), "what half a try leaves").toEqual([{ valid: false }]);
  await ask(url, "DELETE FROM rows");
  const applied = await Promise.all([1, 2, 3].map(() => migrate(url, undefined, folder)));
  expect(applied.flat()).toEqual(["2_index"]);
  expect(await ask(url, index)).toEqual([{ valid: true }]);
});
