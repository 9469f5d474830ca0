/** Restores a backup into an installation without workspaces. All rows are restored, or none. */
import { createHash, hash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { proveAudit } from "#lib/checkpoints/verify.ts";
import { directDatabaseUrl } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { backend, store } from "#lib/storage/store.ts";
import { withClient } from "#prisma/client.ts";
import { brokenChains } from "./chains.ts";
import { keyFingerprint } from "./create.ts";
import { type Manifest, openFile, type Place, placeAt, readManifest, recordIn, rowsFolder } from "./place.ts";
import { newestMigration, referencesOf, type TableShape, tablesOf } from "./tables.ts";

/**
 * Reads every byte of a backup and reports everything that is missing or damaged: rows, files and checkpoints. If all
 * are intact, it also checks the chains of the audit logs and of the histories of signature requests.
 */
export async function checkBackup(from: string, name?: string) {
  const place = await placeAt(from);
  const manifest = await readManifest(place, name);
  const { checked, problems } = await checkBytes(place, manifest);
  if (problems.length === 0) problems.push(...(await brokenChains(place, manifest.tables)));
  return { at: manifest.at, checked, problems, ok: problems.length === 0 };
}

async function checkBytes(place: Place, { tables, files, records }: Manifest) {
  const problems: string[] = [];
  const stored = new Set<string>();
  const rows = tables.map(({ sha256 }): [string, string] => [rowsFolder, sha256]);
  for (const [organizationId, sha256] of [...rows, ...files]) {
    const bytes = await openFile(place, organizationId, sha256);
    const computed = createHash("sha256");
    for await (const chunk of bytes ?? []) computed.update(chunk);
    if (!bytes) problems.push(`${organizationId}/${sha256} is missing`);
    else if (computed.digest("hex") !== sha256) problems.push(`${organizationId}/${sha256} is damaged`);
    stored.add(`${organizationId}/${sha256}`);
  }
  for (const [record, sha256] of records) {
    const bytes = await recordIn(place.backend, record);
    if (!bytes) problems.push(`${record} is missing`);
    else if (hash("sha256", bytes) !== sha256) problems.push(`${record} is damaged`);
  }
  return { checked: stored.size + records.length, problems };
}

/** Restores broken chains too, since the backup may be all that is left. Reports them, as `verify-audit` does. */
export async function restoreBackup(from: string, name?: string) {
  const place = await placeAt(from);
  const manifest = await readManifest(place, name);
  refuseOtherKey(manifest);
  const { problems } = await checkBytes(place, manifest);
  if (problems.length > 0)
    throw new Refusal(
      "conflict",
      `The backup is incomplete or damaged, and nothing was restored:\n${problems.join("\n")}`,
    );
  return await withClient(directDatabaseUrl(), "countersign restore", async (client) => {
    await refuseWrongDatabase(client, manifest);
    await restoreFiles(place, manifest);
    await client.query("BEGIN");
    // Reading from a slow source must not end the transaction.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    // A workspace created while the files are copied must be neither deleted nor mixed with the restored ones.
    await client.query("LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE");
    await refuseWrongDatabase(client, manifest);
    await restoreRows(client, place, manifest);
    await client.query("COMMIT");
    const { rows } = await client.query<{ id: string }>("SELECT id FROM organizations ORDER BY id");
    const proofs = [];
    for (const { id } of rows) proofs.push(await proveAudit(id));
    const broken = proofs.filter(({ ok }) => !ok);
    return {
      ...{ at: manifest.at, workspaces: rows.length, files: manifest.files.length },
      ...{ broken, ok: broken.length === 0 },
    };
  });
}

function refuseOtherKey({ keyFingerprint: expected, secrets }: Manifest): void {
  if (expected === keyFingerprint()) return;
  const { webhooks, signingKeys, letters } = secrets;
  throw new Refusal(
    "conflict",
    `The backup was made with another SECRET_KEY. This one cannot decrypt the secrets of ${webhooks} webhook endpoints, ${signingKeys} sealing keys and ${letters} queued e-mails. Set the SECRET_KEY of that time, or put its secret.key into the data folder.`,
  );
}

async function refuseWrongDatabase(client: pg.Client, { migration }: Manifest): Promise<void> {
  const newest = await newestMigration(client);
  if (newest !== migration) {
    throw new Refusal(
      "conflict",
      `The backup is from the version with the migration ${migration}; this version has ${newest}. Restore it with that version, then update.`,
    );
  }
  const { rows } = await client.query("SELECT FROM organizations LIMIT 1");
  if (rows.length > 0)
    throw new Refusal(
      "conflict",
      "The database already has workspaces. Restore into a new database and a new data folder.",
    );
}

/** As everywhere, a file is stored before the row that refers to it. */
async function restoreFiles(place: Place, { files, records }: Manifest): Promise<void> {
  const target = await backend();
  for (const [organizationId, sha256] of files) {
    if (await target.find({ organizationId, sha256 })) continue;
    await store(organizationId, (await openFile(place, organizationId, sha256))!);
  }
  for (const [name] of records) await target.records.put(name, await place.backend.records.read(name));
}

/**
 * Rejects unknown tables and columns, since their names become part of SQL: someone who can write to the backup must
 * not control what is executed.
 */
function refuseOtherTables(tables: Manifest["tables"], shapes: TableShape[]): void {
  const columns = new Map(shapes.map((shape) => [shape.name, new Set(shape.columns)]));
  const isOurs = (table: TableShape) => table.columns.every((column) => columns.get(table.name)?.has(column));
  const other = tables.find((table) => !columns.has(table.name) || !isOurs(table));
  if (!other) return;
  throw new Refusal(
    "conflict",
    `The backup has a table that this version does not have: ${JSON.stringify(other.name)}. It is damaged, or from another version.`,
  );
}

/** Disables triggers, since what they would write is in the backup. Checks foreign keys at the end, all at once. */
async function restoreRows(client: pg.Client, place: Place, { tables, sequences }: Manifest): Promise<void> {
  const shapes = await tablesOf(client);
  refuseOtherTables(tables, shapes);
  const references = await referencesOf(client);
  for (const { table, name } of references)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of shapes) {
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await client.query(`DELETE FROM ${name}`);
  }
  for (const { name, columns, sha256 } of tables) {
    const rows = await openFile(place, rowsFolder, sha256);
    const copying = client.query(copyFrom(`COPY ${name} (${columns.join(", ")}) FROM STDIN`));
    await pipeline(rows!, createGunzip(), copying);
  }
  for (const { name } of shapes) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  for (const { table, name, definition } of references)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { name, value } of sequences)
    await client.query("SELECT setval($1::regclass, $2)", [name, value]);
}
