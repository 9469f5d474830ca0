/** Responses are cached by the workspace's number and the day, so they must not depend on anything else. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { createContract } from "#lib/contracts/create.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { addDays, dayOf, midnight } from "#lib/core/dates.ts";
import { database, disconnect } from "#lib/core/db.ts";
import { provideSettings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { execute } from "#lib/core/execute.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { findOperation, namedOperations } from "#lib/operations.ts";
import { addMember, createWorkspace, insertWorkspace } from "#lib/people/members/workspaces.ts";
import { openAccount } from "#lib/people/users/users.ts";
import { migrate } from "#prisma/migrate.ts";
import { memberPassword } from "../accounts.ts";
import { cachedTables, derivedTables, guarded, guardedTables } from "../cached-reads.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";
import { contractWithPdf, memberOf, sent } from "../signing.ts";
import { templateIn } from "../templates.ts";

const today = dayOf(new Date());

type Furnished = Pick<Workspace, "organizationId" | "ownerId" | "ctx" | "contract">;

/** Creates an example of everything that a cached response can contain. */
async function furnish(workspace: Furnished): Promise<string[]> {
  const { ctx, ownerId } = workspace;
  const member = memberOf(workspace);
  const act = (name: string, input: object) => execute(findOperation(name)!.operation, member, input);
  const { counterparty } = await act("counterparties.create", { name: "Zephyr" });
  const [{ id: counterpartyId }, day] = [counterparty, addDays(today, -330)];
  await act("contacts.create", { id: counterpartyId, name: "Zoe", email: "zoe@zephyr.example" });
  const { contract } = await contractWithPdf(workspace);
  const value = { valueCents: "100", valueCurrency: "USD" };
  const terms = { counterpartyId, effectiveDate: day, termMonths: 12, ...value };
  await act("contracts.patch", { id: contract.id, ...terms });
  await act("contracts.setStatus", { id: contract.id, next: "EXECUTED" });
  await act("customFields.create", { key: "seats", name: "Seats", type: "number" });
  await act("contracts.patch", { id: contract.id, customFields: { seats: "7" } });
  const bare = await workspace.contract();
  const duty = { contractId: contract.id, kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE" };
  await act("obligations.create", { ...duty, fixedDate: addDays(today, 3) });
  const template = await templateIn(ctx, ["Services for you"], { name: "Services" });
  await act("templates.makeContract", { templateId: template.id, title: "From it", counterpartyId, ownerId });
  await newMember({ ctx }, "viewer");
  await sent(workspace, [{ name: "Ann" }]);
  await act("signatures.createDraft", { contractId: contract.id });
  const { data: obligations } = await act("obligations.listOfContract", { id: contract.id });
  return [contract.id, bare.id, counterpartyId, template.id, obligations[0].id];
}

/** Queries with filters, which read more than those without. */
const filtered: Record<string, object[]> = {
  "contracts.list": [
    { q: "zephyr", sort: "expiresAt", status: ["EXECUTED"] },
    { sort: "title", page: 30 },
    { customFields: { seatsFrom: ["5"] }, sort: "customFields.seats" },
  ],
  "counterparties.list": [{ q: "zephyr" }],
  "obligations.agenda": [{ q: "pay", status: ["DUE"], dueTo: addDays(today, 9) }],
  "obligations.calendar": [{ from: addDays(today, -9), to: addDays(today, 9) }],
  "auditEvents.list": [{ action: ["CONTRACT_CREATED"], via: "api", from: today }],
};

/** Returns inputs for every operation whose responses are cached. */
function questions(ids: string[]): [name: string, operation: AnyOperation, input: object][] {
  const cacheable = namedOperations().filter(([, { operation }]) => operation.cacheable);
  return cacheable.flatMap(([name, { operation }]) => {
    const field = ["id", "contractId"].find((one) => one in operation.input.shape);
    const all = field === undefined ? [{}] : ids.map((id) => ({ [field]: id }));
    const plain = all.filter((input) => operation.input.safeParse(input).success);
    const inputs = [...plain, ...(filtered[name] ?? [])];
    expect(inputs, `${name} is asked something`).not.toEqual([]);
    return inputs.map((input): [string, AnyOperation, object] => [name, operation, input]);
  });
}

async function answers(ctx: Context, ids: string[]): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  const answered = new Set<string>();
  for (const [name, operation, input] of questions(ids)) {
    const answer = await execute(operation, ctx, input).catch((error) => {
      // Every id is tried for every path, whatever it is the id of.
      if (error instanceof Refusal && error.code === "not_found") return null;
      throw new Error(`${name}: ${error.message}`, { cause: error });
    });
    if (answer !== null) answered.add(name);
    all[`${name} ${JSON.stringify(input)}`] = answer;
  }
  expect([...answered], "something is found by each").toEqual([
    ...new Set(questions(ids).map(([name]) => name)),
  ]);
  return all;
}

/** Returns the context of a member's request, with the workspace's number. */
async function asking(workspace: Furnished, now = new Date()): Promise<Context> {
  const { organizationId } = workspace;
  const { seq } = await database().prisma.workspaceHead.findUniqueOrThrow({ where: { organizationId } });
  return { ...memberOf(workspace, { now }), seq: Number(seq) };
}

/** Runs `work` in a separate database that contains a furnished workspace. */
async function inOwnDatabase(work: (workspace: Furnished, ids: string[]) => Promise<void>): Promise<void> {
  const url = process.env.DATABASE_URL!;
  const own = new URL(url);
  own.pathname = `/${randomUUID()}`;
  const inShared = async (sql: string) =>
    void (await database().pool.query(`${sql} DATABASE "${own.pathname.slice(1)}"`));
  await inShared("CREATE");
  await migrate(own.href);
  await disconnect();
  provideSettings({ DATABASE_URL: own.href });
  try {
    await prepareQueue();
    const owner = { ownerEmail: "owner@test.example", ownerName: "Olive", ownerPassword: memberPassword };
    const { organizationId, userId: ownerId } = await createWorkspace({ name: "Test workspace", ...owner });
    const ctx = systemContext(organizationId, "test");
    const fields = { type: "NDA", ourRole: "VENDOR", ownerId } as const;
    const contract = (more: object = {}) => createContract(ctx, { title: "Agreement", ...fields, ...more });
    const workspace = { organizationId, ownerId, ctx, contract };
    await work(workspace, await furnish(workspace));
  } finally {
    await disconnect();
    provideSettings({ DATABASE_URL: url });
    await inShared("DROP");
  }
}

test("cached responses are read only from tables whose changes raise the workspace's number", () =>
  inOwnDatabase(async (workspace, ids) => {
    const ctx = await asking(workspace);
    const before = await answers(ctx, ids);
    const { pool } = database();
    const read = [...Object.keys(cachedTables), ...derivedTables, "workspace_heads"];
    const { rows } = await pool.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY($1)",
      [read],
    );
    expect(rows.length).toBeGreaterThan(10);
    await pool.query(`DROP TABLE ${rows.map(({ name }) => `"${name}"`)} CASCADE`);
    expect(await answers(ctx, ids), "without any other table").toEqual(before);
  }));

test("cached responses do not depend on columns or drafts that change without raising the workspace's number", async ({
  workspace,
}) => {
  const ids = await furnish(workspace);
  const ctx = await asking(workspace);
  const before = await answers(ctx, ids);
  for (const [table, columns] of Object.entries(cachedTables)) {
    const set = Object.entries(columns).map(([column, value]) => `${column} = ${value}`);
    if (set.length === 0) continue;
    const own = table === "users" ? "id" : "organization_id";
    const id = table === "users" ? workspace.ownerId : workspace.organizationId;
    const sql = `UPDATE ${table} SET ${set} WHERE ${own} = $1`;
    expect((await database().pool.query(sql, [id])).rowCount, table).toBeGreaterThan(0);
  }
  expect(await answers(ctx, ids)).toEqual(before);
  const drafts = "DELETE FROM envelopes WHERE status = 'DRAFT' AND organization_id = $1";
  expect((await database().pool.query(drafts, [workspace.organizationId])).rowCount).toBe(1);
  expect(await answers(ctx, ids), "without drafts").toEqual(before);
});

test("cached responses are the same for members and API keys throughout a UTC day", async ({ workspace }) => {
  const ids = await furnish(workspace);
  const begin = midnight(today);
  const end = new Date(begin.getTime() + 86_399_999);
  const first = await asking(workspace, begin);
  const key: Context = { ...first, actor: { kind: "api_key", id: workspace.keyId, name: "Key" }, now: end };
  expect(await answers(key, ids)).toEqual(await answers(first, ids));
});

test("the guard trigger refuses to commit a change to cached data that does not raise the workspace's number", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const client = new pg.Client({ connectionString: guarded(process.env.DATABASE_URL!) });
  await client.connect();
  const update = (set: string) => client.query(`UPDATE contracts SET ${set} WHERE id = $1`, [id]);
  await expect(update("title = 'Other'")).rejects.toThrow(/did not raise the number/);
  await expect(
    client.query("UPDATE users SET name = 'Other' WHERE id = $1", [workspace.ownerId]),
  ).rejects.toThrow(/did not raise the number/);
  await update("expiring_told_for = '2001-02-03'");
  await client.end();
  const { rows } = await database().pool.query<{ name: string }>(
    "SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'guard_cached' AND tgenabled = 'O'",
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(guardedTables).sort());
});

test("renaming an account when its address is verified raises its workspace's number", async ({
  workspace,
}) => {
  const person = { email: `${randomUUID()}@test.example`, password: memberPassword };
  const owner = await openAccount({ ...person, name: "Someone" });
  const made = await insertWorkspace({ name: "Theirs", owner, isVerified: false }, (id) =>
    systemContext(id, "test"),
  );
  const theirs = {
    ...workspace,
    organizationId: made.organizationId,
    ctx: systemContext(made.organizationId),
  };
  const before = (await asking(theirs)).seq!;
  await addMember(workspace.ctx, { ...person, name: "Nora", role: "viewer" });
  expect((await asking(theirs)).seq).toBe(before + 1);
});
