import { spawn } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { contractTypes } from "#lib/contracts/schema.ts";
import { relationshipTypes } from "#lib/counterparties/schema.ts";
import { obligationStatuses } from "#lib/obligations/lifecycle.ts";
import { type EmbeddedPostgres, openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate } from "#prisma/migrate.ts";

// The demo is made once for all tests of this file.
test.describe.configure({ mode: "default" });

const root = join(import.meta.dirname, "..", "..");

let scratch: string;
let postgres: EmbeddedPostgres;
let url: string;
let seeds: unknown[];

test.beforeAll(async () => {
  // A year and a half is told, with documents that are frozen, sealed on trial and sent.
  test.setTimeout(600_000);
  scratch = await mkdtemp(join(tmpdir(), "countersign-seed-"));
  postgres = await openPostgres(scratch);
  url = await emptyDatabase();
  seeds = await Promise.all([
    run(url, ["prisma/demo/seed.ts"]).answer,
    run(url, ["prisma/demo/seed.ts"]).answer,
  ]);
});

test.afterAll(async () => {
  await postgres?.close();
  await rm(scratch, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `demo_${randomUUID().replaceAll("-", "")}`;
  await ask(postgres.url, `CREATE DATABASE ${name}`);
  const made = postgres.url.replace("/countersign?", `/${name}?`);
  await migrate(made);
  return made;
}

async function ask(database: string, sql: string) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs a program of ours over a database, as the start does; the answer is the JSON that it prints. */
function run(database: string, args: string[]) {
  const child = spawn(process.execPath, ["--import", join(root, "e2e", "strict.ts"), ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: database, DATA_DIR: join(scratch, "data"), NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, problems, exited] = [text(child.stdout), text(child.stderr), once(child, "exit")];
  const answer = exited.then(async ([code]) => {
    expect(code, await problems).toBe(0);
    return JSON.parse(await printed);
  });
  answer.catch(() => undefined);
  /** What one prints that ends with an error. */
  const refused = exited.then(async ([code]) => {
    const said = `${await printed}${await problems}`;
    expect(code, said).toBe(1);
    return said;
  });
  refused.catch(() => undefined);
  return { child, exited, answer, refused };
}

/** What an expression answers inside a process of ours. */
const evaluate = (imports: string, expression: string) =>
  run(url, [
    "--input-type=module-typescript",
    "--eval",
    `${imports} import { disconnect } from "#lib/core/db.ts";
     console.log(JSON.stringify(${expression})); await disconnect();`,
  ]).answer;

const values = async (sql: string) => (await ask(url, sql)).map(({ value }) => value);

test("servers that start together create one demo workspace", async () => {
  expect(seeds).toContain(null);
  expect(seeds).toContainEqual({
    email: expect.stringMatching(/@.+\.example$/),
    password: expect.stringMatching(/^.{16,}$/),
    key: expect.stringMatching(/^csk_/),
  });
  expect(await values("SELECT count(*)::int AS value FROM organizations")).toEqual([1]);
});

test("seeding a second time changes nothing", async () => {
  const state = "SELECT seq, hash, contract_count FROM workspace_heads";
  const before = await ask(url, state);
  expect(await run(url, ["prisma/demo/seed.ts"]).answer).toBeNull();
  expect(await ask(url, state)).toEqual(before);
});

test("the demo account's printed password and API key are valid", async () => {
  const made = seeds.find((seed) => seed !== null) as { email: string; password: string; key: string };
  const imports = `import { openAccount } from "#lib/people/users/users.ts"; import { findKey } from "#lib/keys/keys.ts";`;
  const person = JSON.stringify({ ...made, name: "" });
  const found = await evaluate(
    imports,
    `[await openAccount(${person}), await findKey(${JSON.stringify(made.key)})]`,
  );
  expect(found).toMatchObject([
    { email: made.email, isNew: false },
    { usable: true, name: "Demo" },
  ]);
});

test("the demo workspace has contracts of every type and status", async () => {
  const types = await values("SELECT DISTINCT type AS value FROM contracts");
  expect(types.sort()).toEqual([...contractTypes].sort());
  const statuses = await values("SELECT DISTINCT status AS value FROM contracts");
  expect(statuses.sort()).toEqual([...contractStatuses].sort());
});

test("the demo workspace has obligations of every status and counterparties of every relationship type", async () => {
  const imports = `import { systemContext } from "#lib/core/context.ts";
    import { db } from "#lib/core/db.ts"; import { statusOf } from "#lib/obligations/rows.ts";`;
  const found: string[] = await evaluate(
    imports,
    "(await db.obligation.findMany()).map((row) => statusOf(row, new Date()))",
  );
  expect([...new Set(found)].sort()).toEqual([...obligationStatuses].sort());
  const kinds = await values("SELECT DISTINCT unnest(relationship_types) AS value FROM counterparties");
  expect(kinds.sort()).toEqual([...relationshipTypes].sort());
});

test("the demo's requests are sent, partially signed, declined and sealing, and the sealing job is queued", async () => {
  const statuses = await values("SELECT status AS value FROM envelopes");
  expect(statuses.sort()).toEqual(["DECLINED", "PARTIALLY_SIGNED", "SEALING", "SENT"]);
  const jobs =
    "SELECT count(*)::int AS value FROM graphile_worker.jobs WHERE task_identifier = 'signatures.seal'";
  expect(await values(jobs)).toEqual([1]);
});

test("the demo's audit log verifies, and the daily job has no contract to advance", async () => {
  const [{ id }] = await ask(url, "SELECT id FROM organizations");
  const imports = `import { verifyAudit } from "#lib/audit/verify.ts"; import { advanceContracts } from "#lib/contracts/daily.ts";`;
  const [advanced, verdict] = await evaluate(
    imports,
    `[await advanceContracts(), await verifyAudit("${id}")]`,
  );
  expect(verdict).toMatchObject({ ok: true, problem: null });
  expect(verdict.events).toBeGreaterThan(400);
  expect(advanced).toBe(0);
});

test("backups verify, and report altered audit logs, signing histories and checkpoints, and missing files", async () => {
  const backups = join(scratch, "backups");
  const admin = (...args: string[]) => run(url, ["lib/run/admin.ts", ...args]);
  const [{ id }] = await ask(url, "SELECT id FROM organizations");
  const checkpoint = join("records", "checkpoints", id, "kept.json");
  await mkdir(dirname(join(scratch, "data", checkpoint)), { recursive: true });
  await writeFile(join(scratch, "data", checkpoint), "{}");
  const made = await admin("backup", "--to", backups, "--verify").answer;
  expect(made).toMatchObject({ ok: true, damaged: [], missing: [], problems: [] });
  expect(made.files).toBeGreaterThan(5);
  const path = join(backups, "records", "backups", `${made.backup}.json`);
  const manifest = JSON.parse(await readFile(path, "utf8"));
  /** What a check says once the rows of a table were written anew. */
  const told = async (name: string, alter: (rows: string) => string) => {
    const fileOf = (sha256: string) => join(backups, "files", "rows", sha256.slice(0, 2), sha256);
    const tables = structuredClone(manifest.tables) as { name: string; sha256: string }[];
    const table = tables.find((one) => one.name === `public.${name}`)!;
    const rows = gunzipSync(await readFile(fileOf(table.sha256))).toString("utf8");
    expect(alter(rows)).not.toBe(rows);
    const packed = gzipSync(alter(rows));
    table.sha256 = hash("sha256", packed);
    await mkdir(dirname(fileOf(table.sha256)), { recursive: true });
    await writeFile(fileOf(table.sha256), packed);
    await writeFile(path, JSON.stringify({ ...manifest, tables }));
    return JSON.stringify(await admin("restore", "--from", backups, "--verify").refused);
  };
  const withoutLast = (rows: string) => rows.replace(/[^\n]*\n$/, "");
  expect(await told("audit_events", (rows) => rows.replace("CONTRACT_CREATED", "CONTRACT_UPDATED"))).toMatch(
    /The audit log of org_\w+: the row does not have the hash that it was written with/,
  );
  expect(await told("audit_events", withoutLast)).toMatch(/the log has \d+ events, and its head is that of/);
  expect(await told("signing_events", (rows) => rows.replace("\tVIEWED\t", "\tSIGNED\t"))).toMatch(
    /The history of the signature request env_\w+: Event \d+ \(SIGNED\) was altered/,
  );
  const restored = run(await emptyDatabase(), ["lib/run/admin.ts", "restore", "--from", backups]);
  expect(await restored.refused).toMatch(/Signature request env_\w+: Event \d+ \(SIGNED\) was altered/);
  expect(await told("signing_events", withoutLast)).toContain("Events are missing");
  expect(await told("envelopes", withoutLast)).toContain("It was sent, and the request is gone.");
  await writeFile(path, JSON.stringify(manifest));
  await writeFile(join(backups, checkpoint), "{ }");
  expect(await admin("restore", "--from", backups, "--verify").refused).toContain("kept.json is damaged");
  await writeFile(join(backups, checkpoint), "{}");
  expect(await admin("restore", "--from", backups, "--verify").answer).toMatchObject({ ok: true });
  const [{ name }] = await ask(
    url,
    "SELECT organization_id || '/' || left(sha256, 2) || '/' || sha256 AS name FROM document_versions LIMIT 1",
  );
  await rm(join(scratch, "data", "files", name));
  const other = await admin("backup", "--to", join(scratch, "other-backups")).refused;
  expect(other).toContain(name.replace(/\/..\//, "/"));
});

test("the demo's history spans more than a year and is in chronological order", async () => {
  const [{ days, unordered }] = await ask(
    url,
    `SELECT extract(day FROM now() - min(created_at))::int AS days,
       (count(*) FILTER (WHERE created_at < previous))::int AS unordered
     FROM (SELECT created_at, lag(created_at) OVER (ORDER BY seq) AS previous FROM audit_events) AS event`,
  );
  const today =
    "SELECT count(*)::int AS value FROM signing_events WHERE created_at > now() - interval '6 hours'";
  expect(await values(today)).toEqual([0]);
  expect(unordered).toBe(0);
  expect(days).toBeGreaterThan(365);
});

test("a seed killed midway leaves no rows, and the next seed creates the whole demo", async () => {
  // It creates the demo once and a half, with its sealed documents.
  test.setTimeout(300_000);
  const database = await emptyDatabase();
  const { child, exited } = run(database, ["prisma/demo/seed.ts"]);
  const writing = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid IS NOT NULL AND xact_start < now() - interval '400 ms'`;
  await expect
    .poll(async () => (await ask(database, writing))[0].n, { intervals: [20], timeout: 60_000 })
    .toBe(1);
  child.kill("SIGKILL");
  await exited;
  for (const table of ["organizations", "users", "contracts", "audit_events"]) {
    expect(await ask(database, `SELECT FROM ${table}`)).toEqual([]);
  }
  expect(await run(database, ["prisma/demo/seed.ts"]).answer).toHaveProperty("key");
  const count = "SELECT count(*)::int AS n FROM audit_events";
  expect(await ask(database, count)).toEqual(await ask(url, count));
});
