/**
 * Creates a backup of a running system: the rows as of one moment, and the files that they refer to. A file is stored
 * before its row, and the sweep deletes no file during a backup. So every file that the rows refer to still exists when
 * the files are copied.
 */
import { hash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to } from "pg-copy-streams";
import { clock } from "#lib/core/clock.ts";
import { mac } from "#lib/core/encryption.ts";
import { directDatabaseUrl } from "#lib/core/env.ts";
import { backend } from "#lib/storage/store.ts";
import { columnsThatNameFiles } from "#lib/storage/sweep.ts";
import { withClient } from "#prisma/client.ts";
import { rowOrder } from "./chains.ts";
import { type Manifest, openFile, type Place, placeAt, rowsFolder, writeManifest } from "./place.ts";
import { newestMigration, sequencesOf, type TableShape, tablesOf } from "./tables.ts";

export interface Backup {
  backup: string;
  tables: number;
  rows: number;
  files: number;
  /** The number of files that earlier backups in this place did not have. */
  copied: number;
  /** Files that do not match their hashes, and so are left out of the backup. */
  damaged: string[];
  /** Files that rows refer to, but that do not exist. */
  missing: string[];
}

export const keyFingerprint = () => mac("countersign", "backup").toString("hex");

export async function createBackup(to: string): Promise<Backup> {
  const place = await placeAt(to);
  const { rows, files, copied, damaged, missing } = await withSweepLock(async (client) => {
    const rows = await inSnapshot(client, () => copyRows(client, place));
    const copied = await copyFiles(place);
    const there = new Set([...copied.files.map((file) => file.join("/")), ...copied.damaged]);
    return { rows, ...copied, missing: rows.named.filter((name) => !there.has(name)) };
  });
  const records = await copyRecords(place, rows.organizations);
  const { organizations: _, named: __, ...described } = rows;
  const manifest: Manifest = {
    ...{ version: 2, at: clock().toISOString(), keyFingerprint: keyFingerprint() },
    ...{ ...described, files, records },
  };
  return {
    backup: await writeManifest(place, manifest),
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
    ...{ files: files.length, copied, damaged, missing },
  };
}

/** Holds the lock that the sweep checks (storage/hold.ts). A second backup waits for it. */
const withSweepLock = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(directDatabaseUrl(), "countersign backup", async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtextextended('backup', 0))");
    const done = await work(client);
    // Fails if the connection, and with it the lock, was lost in the meantime.
    await client.query("SELECT pg_advisory_unlock(hashtextextended('backup', 0))");
    return done;
  });

/** Runs `work` in a transaction whose reads all use the same snapshot. */
async function inSnapshot<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  // Writing to a slow destination must not end the transaction.
  await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
  // Makes the text of rows independent of the server's settings.
  await client.query(
    "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL bytea_output = 'hex'",
  );
  const done = await work();
  await client.query("COMMIT");
  return done;
}

async function copyRows(client: pg.Client, place: Place) {
  const count = async (table: string) =>
    (await client.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count as number;
  const tables: Manifest["tables"] = [];
  for (const table of await tablesOf(client)) {
    tables.push({ ...table, ...(await copyTable(client, table, place)) });
  }
  const organizations = await client.query<{ id: string }>("SELECT id FROM organizations ORDER BY id");
  return {
    tables,
    migration: await newestMigration(client),
    sequences: await sequencesOf(client),
    secrets: {
      webhooks: await count("webhook_endpoints"),
      signingKeys: await count("signing_keys"),
      letters: await count("letters"),
    },
    organizations: organizations.rows.map(({ id }) => id),
    named: await namedFiles(client),
  };
}

/** Returns the files that rows refer to, as `organization/sha256`. */
async function namedFiles(client: pg.Client): Promise<string[]> {
  const columns = await client.query<{ table: string; column: string }>(columnsThatNameFiles);
  const each = columns.rows.map(
    ({ table, column }) =>
      `SELECT organization_id || '/' || ${column} AS name FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  const { rows } = await client.query<{ name: string }>(`${each.join(" UNION ")} ORDER BY name`);
  return rows.map(({ name }) => name);
}

async function copyTable(client: pg.Client, { name, columns }: TableShape, place: Place) {
  const order = rowOrder[name];
  const all = `SELECT ${columns.join(", ")} FROM ${name} ${order ? `ORDER BY ${order.join(", ")}` : ""}`;
  const rows = client.query(to(`COPY (${all}) TO STDOUT`));
  const packed = createGzip();
  const [stored] = await Promise.all([place.write(rowsFolder, packed), pipeline(rows, packed)]);
  return { ...stored, rows: rows.rowCount };
}

async function copyFiles(place: Place) {
  const files: Manifest["files"] = [];
  const damaged: string[] = [];
  let copied = 0;
  const store = await backend();
  for await (const { organizationId, sha256 } of store.list()) {
    const key = { organizationId, sha256 };
    if (!(await place.backend.find(key))) {
      const bytes = await openFile({ ...place, backend: store }, organizationId, sha256);
      // Deleted since it was listed. No row refers to it.
      if (!bytes) continue;
      const stored = await place.write(organizationId, bytes);
      if (stored.sha256 !== sha256) {
        damaged.push(`${organizationId}/${sha256}`);
        continue;
      }
      copied += 1;
    }
    files.push([organizationId, sha256]);
  }
  return { files, copied, damaged };
}

/** The folders of the file store's records, which are not files (lib/checkpoints/store.ts). */
const recordFolders = ["checkpoints", "refused-checkpoints"];

async function copyRecords(
  { backend: target }: Place,
  organizations: string[],
): Promise<Manifest["records"]> {
  const { records } = await backend();
  const names: string[] = [];
  for (const id of organizations) {
    for (const folder of recordFolders) names.push(...(await records.list(`${folder}/${id}/`)));
  }
  const copied: Manifest["records"] = [];
  for (const name of names) {
    const bytes = await records.read(name);
    await target.records.put(name, bytes);
    copied.push([name, hash("sha256", bytes)]);
  }
  return copied;
}
