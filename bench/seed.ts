/** Fills the database with plain SQL; the audit events go through the trigger that chains them. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import pg from "pg";
import { newId } from "#lib/core/ids.ts";
import { presets } from "#lib/core/scopes.ts";
import { keyHash, newKey } from "#lib/keys/secret.ts";
import type { BenchDatabase } from "./database.ts";
import { say } from "./flags.ts";
import {
  auditRow,
  contractRow,
  counterpartyRows,
  dayMs,
  iso,
  memberRows,
  type Workspace,
} from "./seed-rows.ts";

/** A workspace with the ids and the key that the benches need. */
export interface Seeded {
  organizationId: string;
  key: string;
  userIds: string[];
  counterpartyIds: string[];
  contractIds: string[];
}

const sizes = {
  small: { contracts: 1_000, counterparties: 50, events: 5_000 },
  main: { contracts: 100_000, counterparties: 2_000, events: 500_000 },
  large: { contracts: 1_000_000, counterparties: 5_000, events: 100_000 },
  new: { contracts: 0, counterparties: 50, events: 0 },
};

export type Size = keyof typeof sizes;
type Seeds = Partial<Record<Size, Seeded>>;

/** Returns workspaces of these sizes; reuses those that a kept database already has. */
export async function seeded(database: BenchDatabase, wanted: Size[]): Promise<Seeds> {
  const { notes, url } = database;
  const seeds: Seeds = notes && existsSync(notes) ? JSON.parse(await readFile(notes, "utf8")) : {};
  const missing = wanted.filter((size) => !seeds[size]);
  await forgetMade(url, seeds);
  for (const size of missing) {
    const started = performance.now();
    seeds[size] = await seedWorkspace(url, size);
    say(`seeded the ${size} workspace in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  const client = await connect(url);
  await client.query("VACUUM (ANALYZE)");
  await client.query("CHECKPOINT").catch(() => undefined); // only a superuser may
  await client.end();
  if (notes) await writeFile(notes, JSON.stringify(seeds));
  return seeds;
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '256MB'");
  return client;
}

/** Deletes contracts from earlier runs, which would make this run's lists longer. */
async function forgetMade(url: string, seeds: Seeds): Promise<void> {
  const client = await connect(url);
  for (const { organizationId } of Object.values(seeds)) {
    await client.query("DELETE FROM contracts WHERE organization_id = $1 AND title LIKE 'Bench %'", [
      organizationId,
    ]);
  }
  await client.end();
}

/** Inserts rows, given by column names, in one statement. */
export async function insert(client: pg.Client, table: string, rows: object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

export async function inBatches(
  count: number,
  size: number,
  what: string,
  work: (from: number, to: number) => unknown,
) {
  let told = Date.now();
  for (let from = 0; from < count; from += size) {
    await work(from, Math.min(count, from + size));
    if (Date.now() - told < 5000) continue;
    told = Date.now();
    say(`  ${what}: ${from.toLocaleString("en-US")} of ${count.toLocaleString("en-US")}`);
  }
}

export async function seedWorkspace(url: string, size: Size): Promise<Seeded> {
  const { contracts, events } = sizes[size];
  const [client, second] = [await connect(url), await connect(url)];
  const { workspace, secret } = await seedFrame(client, size);
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => contractRow(workspace, from + n, contracts));
  const contractsDone = inBatches(contracts, 2_000, "contracts", async (from, to) => {
    const batch = rows(from, to);
    for (const { id, title } of batch) workspace.contracts.push({ id, title });
    await insert(client, "contracts", batch);
  });
  // The events refer to contracts that are inserted concurrently, on the other processor.
  const eventsDone = inBatches(events, 250, "audit events", async (from, to) => {
    while (workspace.contracts.length < Math.min(to / 5 + 1, contracts)) await new Promise(setImmediate);
    await insertEvents(second, workspace, from, to, events);
  });
  await Promise.all([contractsDone, eventsDone]);
  await Promise.all([client.end(), second.end()]);
  return {
    organizationId: workspace.id,
    key: secret,
    userIds: workspace.users.map(({ id }) => id),
    counterpartyIds: workspace.counterparties.map(({ id }) => id),
    contractIds: workspace.contracts.slice(0, 100_000).map(({ id }) => id),
  };
}

/** Small transactions: each event updates the head row again, which makes it slower for the next event to find. */
async function insertEvents(client: pg.Client, workspace: Workspace, from: number, to: number, all: number) {
  const created_at = iso(Date.now() - (1 - from / all) * 1825 * dayMs - 3_600_000);
  const rows = Array.from({ length: to - from }, (_, n) => ({
    ...auditRow(workspace, from + n),
    created_at,
  }));
  await insert(client, "audit_events", rows);
}

/** Creates everything in a workspace except its contracts and their history. */
async function seedFrame(client: pg.Client, size: Size): Promise<{ workspace: Workspace; secret: string }> {
  const id = newId("organization");
  const updated_at = new Date().toISOString();
  const users = memberRows(id.replace("_", "-"), 24);
  const counterparties = counterpartyRows(sizes[size].counterparties);
  const key = { id: newId("apiKey"), name: "Bench" };
  const made = newKey();
  const own = { organization_id: id, updated_at };
  await client.query("INSERT INTO organizations (id, name, updated_at) VALUES ($1, $2, $3)", [
    id,
    `Bench ${size}`,
    updated_at,
  ]);
  await insert(
    client,
    "users",
    users.map((user) => ({ ...user, created_at: updated_at, updated_at })),
  );
  const members = users.map((user, n) => ({
    ...{ ...own, id: newId("member"), user_id: user.id, created_at: updated_at },
    role: n === 0 ? "owner" : n < 4 ? "admin" : "member",
  }));
  await insert(client, "members", members);
  await insert(
    client,
    "counterparties",
    counterparties.map((row) => ({ ...row, ...own, created_at: updated_at })),
  );
  await client.query(
    `INSERT INTO api_keys (organization_id, id, name, public_id, hash, scopes) VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, key.id, key.name, made.publicId, keyHash(made.key), presets.full_access],
  );
  return {
    workspace: { id, name: `Bench ${size}`, users, counterparties, contracts: [], key },
    secret: made.key,
  };
}
