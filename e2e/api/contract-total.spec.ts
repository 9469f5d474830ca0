/** The counts in lists and on Home are not computed on each read: they change with the rows, whichever code writes. */
import { importContracts } from "#lib/contracts/import/import.ts";
import { change } from "#lib/core/change.ts";
import { database, type Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";

/** A full recount of all contracts for each counter table: its columns, and how they are computed. */
const recounts = {
  contract_counts: {
    alike: "archived, status, type, our_role, value_currency, auto_renews",
    sums: ["count", "valued", "value_cents"],
    recount: `SELECT organization_id, archived, status, type, our_role, COALESCE(value_currency, ''), auto_renews, count(*),
        count(value_cents), COALESCE(sum(value_cents), 0)
      FROM contracts GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  },
  contract_owner_counts: {
    alike: "owner_id, archived, status",
    sums: ["count"],
    recount:
      "SELECT organization_id, owner_id, archived, status, count(*) FROM contracts GROUP BY 1, 2, 3, 4",
  },
  contract_day_counts: {
    alike: "archived, field, day, status, auto_renews",
    sums: ["count"],
    recount: `SELECT organization_id, archived, d.field, d.day, status, auto_renews, count(*)
      FROM contracts CROSS JOIN LATERAL (VALUES ('effective', (effective_date AT TIME ZONE 'UTC')::date),
        ('expires', expires_at)) AS d (field, day)
      WHERE d.day IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`,
  },
  counterparty_contract_counts: {
    alike: "counterparty_id, archived",
    sums: ["count"],
    recount: `SELECT organization_id, counterparty_id, archived, count(*) FROM contracts
      WHERE counterparty_id IS NOT NULL GROUP BY 1, 2, 3`,
  },
  contract_tag_counts: {
    alike: "key, tag, archived",
    sums: ["count"],
    recount: `SELECT organization_id, lower(tag), tag, archived, count(*)
      FROM contracts, unnest(tags) AS tag GROUP BY 1, 2, 3, 4`,
  },
};

/** Returns where a workspace's counters, search words, tags and archived flags differ from its contracts. */
async function miscounted({ organizationId }: Workspace): Promise<object[]> {
  const { pool } = database();
  const own = (rows: string) => `SELECT * FROM (${rows}) counted WHERE organization_id = $1`;
  const difference = async (kept: string, right: string) => {
    const both = `(${own(kept)} EXCEPT ${own(right)}) UNION ALL (${own(right)} EXCEPT ${own(kept)})`;
    return (await pool.query(both, [organizationId])).rows;
  };
  const all = Object.entries(recounts).map(([table, { alike, sums, recount }]) => {
    const summed = sums.map((name) => `sum(${name}) AS ${name}`).join(", ");
    const isNone = sums.map((name) => `sum(${name}) <> 0`).join(" OR ");
    const kept = `SELECT organization_id, ${alike}, ${summed} FROM ${table}_now GROUP BY organization_id, ${alike} HAVING ${isNone}`;
    return difference(kept, recount);
  });
  const words = difference(
    "SELECT * FROM contract_words",
    "SELECT organization_id, id, counterparty_id, words_of(title), archived FROM contracts",
  );
  const tags = difference(
    "SELECT * FROM contract_tags",
    "SELECT organization_id, lower(tag), id FROM contracts, unnest(tags) AS tag",
  );
  const obligations = difference(
    "SELECT organization_id, id, archived FROM obligations",
    `SELECT o.organization_id, o.id, c.archived FROM obligations o
     JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id`,
  );
  return (await Promise.all([...all, words, tags, obligations])).flat();
}

/** Folds the pending notes; the counters must then be right without them, and contain no zeros. */
async function expectFolded(workspace: Workspace) {
  const { pool } = database();
  const [id] = [workspace.organizationId];
  await pool.query("SELECT contract_counts_fold($1)", [id]);
  const notes = await pool.query("SELECT FROM contract_count_notes WHERE organization_id = $1", [id]);
  expect(notes.rowCount).toBe(0);
  expect(await miscounted(workspace)).toEqual([]);
  for (const table of Object.keys(recounts)) {
    const zeros = await pool.query(`SELECT * FROM ${table} WHERE organization_id = $1 AND count = 0`, [id]);
    expect(zeros.rows, `${table} keeps no zeros`).toEqual([]);
  }
}

async function totals(workspace: Workspace) {
  const { organizationId } = workspace;
  expect(await miscounted(workspace)).toEqual([]);
  const [row] = await database().prisma.$queryRaw<{ counted: number; total: number; pending: number }[]>`
    SELECT (SELECT count(*)::int FROM contracts WHERE organization_id = ${organizationId} AND NOT archived) AS counted,
      (SELECT contract_count FROM workspace_heads WHERE organization_id = ${organizationId}) AS total,
      (SELECT count(*)::int FROM contract_count_changes WHERE organization_id = ${organizationId}) AS pending`;
  return row;
}

const exactly = (count: number) => ({ counted: count, total: count, pending: 0 });

/** Inserts contracts with raw SQL, like someone with a database shell. */
const insert = (
  tx: Pick<Transaction, "$executeRaw">,
  { organizationId, ownerId }: Workspace,
  count: number,
) => tx.$executeRaw`
  INSERT INTO contracts (organization_id, id, title, type, our_role, owner_id, updated_at)
  SELECT ${organizationId}, ${newId("contract")} || n, 'Raw ' || n, 'NDA', 'VENDOR', ${ownerId}, now()
  FROM generate_series(1, ${count}::int) AS n`;

test("the contract total is exact after creates, imports, deletes, rollbacks and raw SQL", async ({
  workspace,
  other,
}) => {
  const { ctx, organizationId, ownerId } = workspace;
  const { prisma } = database();
  await Promise.all(Array.from({ length: 25 }, () => workspace.contract()));
  expect(await totals(workspace), "created").toEqual(exactly(25));

  const [owner] = (await workspace.api("GET /members")).body.data;
  const lines = Array.from({ length: 12 }, (_, n) => `Imported ${n},NDA,VENDOR,${owner.email}`);
  const csv = Buffer.from(["title,type,ourRole,ownerEmail", ...lines].join("\n"));
  expect(await importContracts(ctx, { csv, folder: null, dryRun: false })).toMatchObject({ contracts: 12 });
  expect(await totals(workspace), "imported").toEqual(exactly(37));

  const undone = change(ctx, async (tx) => {
    await insert(tx, workspace, 4);
    await tx.$executeRaw`DELETE FROM contracts WHERE organization_id = ${organizationId} AND title LIKE 'Imported %'`;
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await totals(workspace), "rolled back").toEqual(exactly(37));

  await prisma.$transaction(async (tx) => {
    await insert(tx, workspace, 5);
    await insert(tx, other, 2);
    await tx.$executeRaw`SAVEPOINT here`;
    await insert(tx, workspace, 3);
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT here`;
    await tx.$executeRaw`DELETE FROM contracts WHERE organization_id = ${organizationId} AND title LIKE 'Imported %'`;
  });
  expect(await totals(workspace), "several statements").toEqual(exactly(30));
  expect(await totals(other), "of another workspace").toEqual(exactly(2));

  const row = { ownerId, type: "NDA", ourRole: "VENDOR", updatedAt: new Date(), title: "Across" };
  await prisma.contract.createMany({
    data: [workspace, other, workspace].map((of) => ({
      ...row,
      ...{ organizationId: of.organizationId, ownerId: of.ownerId, id: newId("contract") },
    })),
  });
  expect([await totals(workspace), await totals(other)]).toEqual([exactly(32), exactly(3)]);
  expect((await workspace.api("GET /contracts?pageSize=1")).body.total).toBe(32);
});

test("a CONTRACT_CREATED event without its contract is not counted", async ({ workspace }) => {
  await database().prisma.$executeRaw`INSERT INTO audit_events (organization_id, id, action, payload)
    VALUES (${workspace.organizationId}, ${newId("auditEvent")}, 'CONTRACT_CREATED', '{}')`;
  expect(await totals(workspace)).toEqual(exactly(0));
});

test("an uncommitted insert of contracts does not block the workspace's other changes", async ({
  workspace,
}) => {
  await database().prisma.$transaction(async (tx) => {
    await insert(tx, workspace, 3);
    await workspace.contract();
    expect((await workspace.api("POST /counterparties", { body: { name: "Meanwhile" } })).status).toBe(201);
    expect(await totals(workspace)).toEqual(exactly(1));
  });
  expect(await totals(workspace)).toEqual(exactly(4));
});

test("filter counts stay exact after every kind of change, including concurrent ones", async ({
  workspace,
  other,
}) => {
  const { api, ctx, organizationId } = workspace;
  const { counterparty } = (await api("POST /counterparties", { body: { name: "Northwind" } })).body;
  const member = await newMember({ ctx }, "member");
  const terms = { effectiveDate: "2026-01-31", termMonths: 12, valueCents: "9223372036854775807" };
  const made = await Promise.all(Array.from({ length: 10 }, () => workspace.contract(terms)));
  expect(await totals(workspace), "created").toEqual(exactly(10));

  const changes: object[] = [
    { valueCents: "5", valueCurrency: "EUR", counterpartyId: counterparty.id },
    { ownerId: member.userId, type: "LEASE", ourRole: "TENANT" },
    { effectiveDate: "2026-03-01T23:30:00-05:00", autoRenews: true, renewalMonths: 6 },
    { valueCents: null, termMonths: null },
    { counterpartyId: null, effectiveDate: null, autoRenews: false },
  ];
  for (const body of changes) {
    await Promise.all(made.map(({ id }) => api(`PATCH /contracts/${id}`, { body })));
    expect(await totals(workspace), JSON.stringify(body)).toEqual(exactly(10));
  }
  for (const next of ["APPROVED", "EXECUTED", "ACTIVE"]) {
    await Promise.all(made.map(({ id }) => api(`POST /contracts/${id}/status`, { body: { next } })));
    expect(await totals(workspace), next).toEqual(exactly(10));
  }
  expect((await api("GET /contracts?status=ACTIVE")).body.total).toBe(10);
  const aside = made.slice(0, 4).map(({ id }) => id);
  const patch = (body: object, ids = aside) => ids.map((id) => api(`PATCH /contracts/${id}`, { body }));
  await Promise.all(patch({ tags: ["Übersee", "Q3"] }));
  await Promise.all(patch({ tags: ["übersee"], archived: true }));
  expect(await totals(workspace), "archived").toEqual(exactly(6));
  await Promise.all(patch({ title: "Back", archived: false }, aside.slice(1)));
  expect(await totals(workspace), "unarchived").toEqual(exactly(9));

  await database().prisma.$transaction(async (tx) => {
    await insert(tx, workspace, 3);
    await insert(tx, other, 2);
    await tx.$executeRaw`UPDATE contracts SET status = 'EXPIRED', effective_date = '2020-01-01', term_months = 1
      WHERE organization_id = ${organizationId}`;
    await tx.$executeRaw`DELETE FROM contracts WHERE organization_id = ${organizationId} AND title = 'Raw 2'`;
    await tx.$executeRaw`UPDATE contracts SET archived_at = now() WHERE organization_id = ${organizationId}
      AND title = 'Raw 3'`;
  });
  expect(await totals(workspace), "of raw SQL").toEqual(exactly(10));
  expect(await totals(other), "of another workspace").toEqual(exactly(2));
  await expectFolded(workspace);
  await database().prisma.$executeRaw`DELETE FROM contracts WHERE organization_id = ${organizationId}`;
  expect(await totals(workspace), "without any").toEqual(exactly(0));
  await expectFolded(workspace);
});

test("concurrent folds of pending counts neither block each other nor count anything twice", async ({
  workspace,
}) => {
  const { prisma } = database();
  const id = workspace.organizationId;
  const notes = () => prisma.contractCountNote.count({ where: { organizationId: id } });
  await insert(prisma, workspace, 20);
  await prisma.$transaction(async (tx) => {
    await insert(tx, workspace, 20);
    await tx.$queryRaw`SELECT contract_counts_fold(${id})::text`;
    await insert(prisma, workspace, 20);
    await prisma.$queryRaw`SELECT contract_counts_fold(${id})::text`;
    expect(await notes(), "the other one is at it").toBeGreaterThan(0);
    expect(await totals(workspace)).toEqual(exactly(40));
  });
  expect(await totals(workspace)).toEqual(exactly(60));
  await expectFolded(workspace);
  // However many changes are noted, a read only has to add up a few notes.
  await insert(prisma, workspace, 5000);
  expect(await notes()).toBeLessThan(5000);
  expect(await totals(workspace)).toEqual(exactly(5060));
});

test("an uncommitted update of a contract does not block changes to the workspace's other contracts", async ({
  workspace,
}) => {
  const [first, second] = [await workspace.contract(), await workspace.contract()];
  await database().prisma.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE contracts SET status = 'APPROVED' WHERE id = ${first.id}`;
    const { status } = await workspace.api(`POST /contracts/${second.id}/status`, {
      body: { next: "APPROVED" },
    });
    expect(status).toBe(200);
  });
  expect(await totals(workspace)).toEqual(exactly(2));
});
