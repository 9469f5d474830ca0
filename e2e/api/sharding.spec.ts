/** Tables can be split over databases by workspace: whatever holds or finds a workspace's rows starts with its id. */
import pg from "pg";
import { execute } from "#lib/core/execute.ts";
import { onlyReads } from "#lib/core/operation.ts";
import { scopesOf } from "#lib/core/scopes.ts";
import { namedOperations } from "#lib/operations.ts";
import { guarded } from "../cached-reads.ts";
import { expect, test } from "../fixtures.ts";
import { queriesOf } from "../statements.ts";

/** Tables that belong to no workspace, or to several. */
const globalTables = [
  ...["_prisma_migrations", "organizations", "users"],
  // Of people, and of programs before someone has consented.
  ...["assistant_artifacts", "assistant_clients", "calendar_feeds", "email_tokens", "sessions"],
  // E-mails that wait: an address has one quota, whoever writes to it.
  ...["letters", "mail_turns"],
];

/** Looked up before the workspace is known: when sharded, each would be a separate table that names the workspace. */
const lookUps = [
  ...["api_keys_hash_key", "api_keys_public_id_key", "assistant_grants_id_key", "invitations_token_hash_key"],
  ...["signer_links_token_hash_key", "signer_sessions_cookie_hash_key"],
];

const tables = `SELECT oid, relname AS name, EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id' AND attnotnull) AS sharded
  FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

test("all keys, indexes and references start with the workspace's ID, apart from the listed exceptions", async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const namesOf = async (sql: string) =>
    (await client.query<{ name: string }>(`WITH tables AS (${tables}) ${sql} ORDER BY 1`)).rows.map(
      ({ name }) => name,
    );
  try {
    expect((await namesOf("SELECT name FROM tables WHERE sharded")).length).toBeGreaterThan(35);
    expect(await namesOf("SELECT name FROM tables WHERE NOT sharded")).toEqual(globalTables.sort());
    const indexes = `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN tables ON oid = indrelid
      WHERE sharded AND pg_get_indexdef(indexrelid, 1, false) <> 'organization_id'`;
    expect(await namesOf(`${indexes} AND indisunique`)).toEqual(lookUps.sort());
    // Other indexes may serve each database on its own: those of dates find old rows, those of users a person's.
    const others = `${indexes} AND NOT indisunique AND NOT EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = indrelid AND attnum = indkey[0]
        AND (attname = 'user_id' OR atttypid IN ('timestamptz'::regtype, 'date'::regtype)))`;
    expect(await namesOf(others)).toEqual([]);
    // References to people or workspaces work if every database has a copy of those.
    const references = `SELECT conname AS name FROM pg_constraint JOIN tables ON tables.oid = confrelid
      WHERE contype = 'f' AND sharded AND conkey[1] <> (
        SELECT attnum FROM pg_attribute WHERE attrelid = conrelid AND attname = 'organization_id')`;
    expect(await namesOf(references)).toEqual([]);
    const outward = `SELECT DISTINCT confrelid::regclass::text AS name FROM pg_constraint
      JOIN tables ON tables.oid = conrelid WHERE contype = 'f' AND sharded
        AND confrelid IN (SELECT oid FROM tables WHERE NOT sharded)`;
    expect(await namesOf(outward)).toEqual(["organizations", "users"]);
  } finally {
    await client.end();
  }
});

/** Prisma queries that match no rows, and statements that set up a connection, name no workspace. */
const ofNoRows = /^(SET|SELECT 1$|DEALLOCATE)|IN \(NULL\)|WHERE 1=0/;

test("every statement that serves a member's read names their workspace or user, and no other workspace", async ({
  workspace,
  other,
}) => {
  const { ctx, organizationId, ownerId, contract } = workspace;
  const made = await contract();
  const user = { id: ownerId, name: "Olive Owner", email: "olive@test.example" };
  const asOwner = { ...ctx, actor: { kind: "user", ...user, role: "owner" }, scopes: scopesOf.owner };
  const inputs = [{}, { id: made.id }, { contractId: made.id }, { q: "agreement" }];
  const read = new Set<string>();
  const unnamed = new Set<string>();
  const names = (values: unknown[], id: string) => values.flat().includes(id);
  for (const [name, { door, operation }] of namedOperations()) {
    if (door !== "member" || !onlyReads(operation) || operation.download) continue;
    const input = inputs.find((one) => operation.input.safeParse(one).success);
    if (!input) continue;
    const queries = await queriesOf(() => execute(operation, asOwner, input).catch(() => undefined));
    if (queries.length > 0) read.add(name);
    for (const { text, values } of queries) {
      const isOurs = names(values, organizationId) || names(values, ownerId);
      if (!isOurs && !ofNoRows.test(text)) unnamed.add(`${name}: ${text.slice(0, 200)}`);
      expect(names(values, other.organizationId)).toBe(false);
    }
  }
  expect(read.size).toBeGreaterThan(30);
  expect([...unnamed]).toEqual([]);
});

test("the test server refuses transactions that write to two workspaces, except those that update a user", async ({
  workspace,
  other,
}) => {
  const client = new pg.Client({ connectionString: guarded(process.env.DATABASE_URL!) });
  await client.connect();
  const touch = ({ organizationId }: { organizationId: string }) =>
    client.query("UPDATE workspace_heads SET seq = seq WHERE organization_id = $1", [organizationId]);
  const person = "UPDATE users SET updated_at = updated_at WHERE id = $1";
  try {
    await touch(workspace);
    await touch(other);
    await client.query("BEGIN");
    await touch(workspace);
    await touch(workspace);
    await expect(touch(other)).rejects.toThrow(other.organizationId);
    await client.query("ROLLBACK");
    await client.query("BEGIN");
    await client.query(person, [workspace.ownerId]);
    await touch(workspace);
    await touch(other);
    await client.query("COMMIT");
    // In one statement, like a write for several workspaces.
    const both = [workspace.organizationId, other.organizationId];
    const seq = "UPDATE workspace_heads SET seq = seq WHERE organization_id = ANY($1)";
    await expect(client.query(seq, [both])).rejects.toThrow("workspace_heads");
  } finally {
    await client.end();
  }
});
