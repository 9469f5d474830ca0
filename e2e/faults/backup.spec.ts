/** A restore drill: a backup made during changes restores elsewhere, to the last row and byte. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { withClient } from "#prisma/client.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { admin } from "../admin.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { expect, test } from "../fixtures.ts";
import { freePort, node, root } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";

/** Returns the output of an operator command that must fail. */
async function refusal(environment: Record<string, string>, ...args: string[]): Promise<string> {
  const program = join(root, "lib", "run", "admin.ts");
  const env = { ...process.env, ...environment };
  return promisify(execFile)(node, [program, ...args], { env }).then(
    ({ stdout }) => `it went well: ${stdout}`,
    ({ stderr, stdout }) => stderr + stdout,
  );
}

/** Returns every row of every table of the product. */
async function rowsIn(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
    );
    const rows: Record<string, unknown> = {};
    for (const { name } of tables) {
      const all = `SELECT coalesce(array_agg(row ORDER BY row), '{}') AS rows FROM (SELECT t::text AS row FROM "${name}" t) r`;
      rows[name] = (await client.query(all)).rows[0].rows;
    }
    return rows;
  } finally {
    await client.end();
  }
}

async function startBucket(folder: string) {
  const port = await freePort();
  const store = spawn(node, [join(root, "e2e", "s3-server.ts"), folder, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(store.stdout, "data");
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    stop: () => void store.kill("SIGKILL"),
  };
}

async function importContracts(environment: Record<string, string>, organization: string, name: string) {
  const folder = await mkdtemp(join(tmpdir(), "countersign-import-"));
  const csv = join(folder, "rows.csv");
  await writeFile(
    csv,
    `title,type,ourRole,ownerEmail,counterpartyName,fileName\n${name},NDA,VENDOR,o@test.example,Party,${name}.pdf\n`,
  );
  await writeFile(join(folder, `${name}.pdf`), simplePdf(name));
  await admin(
    environment,
    "import-contracts",
    "--organization",
    organization,
    "--csv",
    csv,
    "--files",
    folder,
  );
  await rm(folder, { recursive: true });
}

/** Backs up twice, with a change between: by default the newest is restored, and the log continues where it ended. */
async function backUpToBucket(environment: Record<string, string>, organization: string, folder: string) {
  const bucket = await startBucket(folder);
  const source = { ...environment, ...bucket.settings };
  const url = new URL(environment.DATABASE_URL!);
  const client = new pg.Client({ connectionString: String(url) });
  try {
    const third = await admin(source, "backup", "--to", "s3://files/backups", "--verify");
    expect(third).toMatchObject({ ok: true, files: 2, copied: 2, problems: [] });
    // Changes continue from there: the chain, the counters, the references.
    await importContracts(source, organization, "third");
    const rows = await rowsIn(String(url));
    expect(rows.contracts).toHaveLength(3);
    expect(await admin(source, "backup", "--to", "s3://files/backups")).toMatchObject({
      ok: true,
      copied: 1,
    });
    await client.connect();
    await client.query("CREATE DATABASE again");
    url.pathname = "/again";
    const again = { ...source, DATABASE_URL: String(url), DATA_DIR: join(folder, "again") };
    const restored = await admin(again, "restore", "--from", "s3://files/backups");
    expect(restored).toMatchObject({ ok: true, workspaces: 1, files: 3, broken: [] });
    expect(await rowsIn(String(url))).toEqual(rows);
  } finally {
    await client.end();
    bucket.stop();
  }
}

test("backups copy only new files and restore everything, and a restore refuses damage, a foreign SECRET_KEY and existing data", async () => {
  test.setTimeout(240_000);
  const source = await uploadInstallation();
  const { environment, organizationId, select } = source;
  const target = await mkdtemp(join(tmpdir(), "countersign-restore-"));
  const backups = join(target, "backups");
  const fresh = join(target, "data");
  const postgres = await openPostgres(fresh);
  try {
    await importContracts(environment, organizationId, "first");
    const first = await admin(environment, "backup", "--to", backups, "--verify");
    expect(first).toMatchObject({ ok: true, files: 1, copied: 1, damaged: [], problems: [] });
    await importContracts(environment, organizationId, "second");
    // While a backup runs, no file is swept (sweep.spec.ts), and a second backup waits.
    const second = await withClient(environment.DATABASE_URL, "countersign test", async (client) => {
      await client.query("SELECT pg_advisory_lock(hashtextextended('backup', 0))");
      const backingUp = admin(environment, "backup", "--to", backups);
      const waiting = `SELECT FROM pg_stat_activity
        WHERE application_name = 'countersign backup' AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
      await client.query("SELECT pg_advisory_unlock(hashtextextended('backup', 0))");
      return backingUp;
    });
    expect(second).toMatchObject({ ok: true, files: 2, copied: 1 });
    const before = await rowsIn(environment.DATABASE_URL);
    expect(before.contracts).toHaveLength(2);

    const elsewhere = { ...environment, DATABASE_URL: postgres.url, DATA_DIR: fresh };
    const foreign = { ...elsewhere, SECRET_KEY: "y".repeat(40) };
    expect(await refusal(foreign, "restore", "--from", backups)).toMatch(
      /made with another SECRET_KEY.*cannot decrypt the secrets of 0 webhook endpoints, \d+ sealing keys/s,
    );
    expect(await refusal(environment, "restore", "--from", backups)).toContain("already has workspaces");

    const versions = await select("SELECT sha256 FROM document_versions ORDER BY created_at");
    const [{ sha256 }] = versions as [{ sha256: string }];
    const stored = join("files", organizationId, sha256.slice(0, 2), sha256);
    const copy = join(backups, stored);
    const bytes = await readFile(copy);
    await appendFile(copy, "x");
    expect(await refusal(elsewhere, "restore", "--from", backups)).toContain(`${sha256} is damaged`);
    await rm(copy);
    const told = await refusal(elsewhere, "restore", "--from", backups, "--verify");
    expect(told).toContain(`${organizationId}/${sha256} is missing`);
    await writeFile(copy, bytes);
    // Someone who can write where backups are kept must not control what the restore runs.
    const manifests = (await readdir(backups, { recursive: true })).filter((path) => path.endsWith(".json"));
    const newest = join(backups, manifests.sort().at(-1)!);
    const manifest = JSON.parse(await readFile(newest, "utf8"));
    const forged = join(dirname(newest), "9999-forged.json");
    const program = "users FROM PROGRAM 'false' --";
    await writeFile(
      forged,
      JSON.stringify({ ...manifest, tables: [{ ...manifest.tables[0], name: program }] }),
    );
    expect(await refusal(elsewhere, "restore", "--from", backups)).toContain(
      "has a table that this version does not have",
    );
    await rm(forged);

    const restored = await admin(elsewhere, "restore", "--from", backups);
    expect(restored).toMatchObject({ ok: true, workspaces: 1, files: 2, broken: [] });
    expect(await rowsIn(postgres.url)).toEqual(before);
    expect(await readFile(join(fresh, stored))).toEqual(bytes);
    await backUpToBucket(elsewhere, organizationId, join(target, "s3"));
  } finally {
    await postgres.close();
    await source.close();
    await rm(target, { recursive: true, force: true });
  }
});
