/** Removes unreferenced files: those of failed uploads, and partly received ones. */
import type { Transaction } from "#lib/core/db.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import type { Key } from "./backend.ts";
import { lockFile, tryLockSweep } from "./hold.ts";
import { sweepIncoming } from "./incoming.ts";
import { backend } from "./store.ts";

const batchSize = 500;

/**
 * Removes unreferenced files older than the grace period, which is longer than the slowest upload takes between its
 * bytes and its row. Returns how many.
 */
export async function sweepFiles(now: Date, graceMs: number): Promise<{ files: number; incoming: number }> {
  const before = new Date(now.getTime() - graceMs);
  let files = 0;
  for await (const batch of oldFiles(before)) {
    for (const key of await atomicHousekeeping((tx) => unnamed(tx, batch)))
      files += await removeUnreferenced(key);
  }
  const incoming = await sweepIncoming(before);
  if (files + incoming > 0) log().info({ files, incoming }, "unreferenced files were removed");
  return { files, incoming };
}

async function* oldFiles(before: Date): AsyncIterable<Key[]> {
  let batch: Key[] = [];
  for await (const { modifiedAt, ...key } of (await backend()).list()) {
    if (modifiedAt >= before) continue;
    batch.push(key);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Takes the file's lock, as whoever writes a row referencing it does, so a referenced file is never removed. */
export async function removeUnreferenced(key: Key): Promise<number> {
  return atomicHousekeeping(async (tx) => {
    if (!(await tryLockSweep(tx, key.organizationId))) return 0;
    await lockFile(tx, key.organizationId, key.sha256);
    if ((await unnamed(tx, [key])).length === 0) return 0;
    await (await backend()).remove(key);
    return 1;
  });
}

/**
 * Every column of a workspace's tables whose name ends in sha256 references files, so a new one cannot be forgotten.
 */
export const columnsThatNameFiles = `
  SELECT quote_ident(c.table_name) AS "table", quote_ident(c.column_name) AS "column"
  FROM information_schema.columns c
  JOIN information_schema.columns o USING (table_schema, table_name)
  WHERE table_schema = current_schema() AND o.column_name = 'organization_id' AND c.column_name LIKE '%sha256'`;

/** The unreferenced files. Those of a workspace unknown to this database are not ours to remove. */
async function unnamed(tx: Transaction, keys: Key[]): Promise<Key[]> {
  const columns = await tx.$queryRawUnsafe<{ table: string; column: string }[]>(columnsThatNameFiles);
  const names = columns.map(
    ({ table, column }) =>
      `EXISTS (SELECT 1 FROM ${table} WHERE organization_id = key.organization AND ${column} = key.sha256)`,
  );
  const rows = await tx.$queryRawUnsafe<{ organization: string; sha256: string }[]>(
    `SELECT organization, sha256 FROM unnest($1::text[], $2::text[]) AS key (organization, sha256)
     WHERE EXISTS (SELECT 1 FROM organizations WHERE id = key.organization) AND NOT (${names.join(" OR ")})`,
    keys.map(({ organizationId }) => organizationId),
    keys.map(({ sha256 }) => sha256),
  );
  return rows.map(({ organization, sha256 }) => ({ organizationId: organization, sha256 }));
}
