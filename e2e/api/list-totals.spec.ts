/** Totals that are stored because counting took long: always exact, whichever code changes the rows. */

import { filterOf } from "#lib/contracts/filter.ts";
import { listContracts } from "#lib/contracts/list.ts";
import { type ContractFilter, ContractQuery } from "#lib/contracts/schema.ts";
import { countAndStore, countIfUnknown, storeTotal } from "#lib/contracts/totals/totals.ts";
import { database } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { archivedFilters, fill } from "../listed.ts";
import { newMember } from "../members.ts";

const filterFrom = (query: object): ContractFilter => {
  const { sort: _, dir: __, page: ___, ...filter } = ContractQuery.parse(query);
  return filter;
};

async function keep({ ctx }: Workspace, query: object): Promise<boolean> {
  const filter = await filterOf(ctx, filterFrom(query));
  await storeTotal(ctx, filter);
  return filter.storable !== null;
}

const keptTotals = async ({ organizationId }: Workspace) =>
  (
    await database().pool.query<{ key: string; count: number }>(
      "SELECT key, count FROM contract_filter_totals WHERE organization_id = $1 ORDER BY kept_at",
      [organizationId],
    )
  ).rows;

async function counts({ organizationId }: Workspace, where: string): Promise<number> {
  const { rows } = await database().pool.query<{ count: number }>(
    `SELECT count(*)::int FROM contracts c LEFT JOIN counterparties cp ON cp.id = c.counterparty_id
     WHERE c.organization_id = $1 AND ${where}`,
    [organizationId],
  );
  return rows[0]!.count;
}

const totalOf = async ({ ctx }: Workspace, query: object) =>
  (await listContracts(ctx, ContractQuery.parse(query))).total;

test("stored totals stay exact through single and bulk updates, deletions, rollbacks and renamed counterparties", async ({
  workspace,
}) => {
  const { ctx, organizationId, api } = workspace;
  const { pool, prisma } = database();
  const { userId } = await newMember({ ctx }, "member");
  const [party = ""] = await fill(workspace, [userId], 420);
  const kept: [object, string][] = [];
  for (const [filter, where] of archivedFilters(userId, party))
    if (await keep(workspace, filter)) kept.push([filter, where]);
  expect(kept.length).toBeGreaterThan(12);
  expect((await keptTotals(workspace)).length).toBe(kept.length);
  const expectExact = async (after: string) => {
    for (const [filter, where] of kept)
      expect(await totalOf(workspace, filter), `${after}: ${JSON.stringify(filter)}`).toBe(
        await counts(workspace, where),
      );
  };
  await expectExact("kept");

  const of = `WHERE organization_id = '${organizationId}' AND right(id, 1)`;
  const changes = [
    `UPDATE contracts SET title = 'Agate ' || title ${of} IN ('1', '2')`,
    `UPDATE contracts SET status = 'ACTIVE', auto_renews = NOT auto_renews ${of} = '3'`,
    `UPDATE contracts SET counterparty_id = '${party}', type = 'MSA' ${of} = '4'`,
    `UPDATE contracts SET counterparty_id = NULL, owner_id = '${userId}', value_cents = 5, value_currency = 'USD' ${of} = '5'`,
    `UPDATE contracts SET effective_date = '2025-01-31T23:00:00Z', term_months = 1 ${of} = '6'`,
    `UPDATE contracts SET tags = '{Audit,Q3}' ${of} = '7'`,
    `UPDATE contracts SET archived_at = CASE WHEN archived THEN NULL ELSE now() END ${of} IN ('3', '8')`,
    `DELETE FROM contracts ${of} = '9'`,
  ];
  for (const sql of changes) {
    expect((await pool.query(sql)).rowCount, sql).toBeGreaterThan(20);
    await expectExact(sql);
  }
  const ids = (await api("GET /contracts?q=lease")).body.data.map(({ id }: { id: string }) => id);
  const patches = [{ title: "Nothing of it" }, { status: undefined, tags: ["übersee"], autoRenews: true }];
  for (const body of patches) {
    await Promise.all(ids.map((id: string) => api(`PATCH /contracts/${id}`, { body })));
    await expectExact(JSON.stringify(body));
  }
  await prisma
    .$transaction(async (tx) => {
      await tx.$executeRaw`DELETE FROM contracts WHERE organization_id = ${organizationId}`;
      throw new Error("undone");
    })
    .catch(() => undefined);
  await expectExact("undone");
  await api(`PATCH /counterparties/${party}`, { body: { name: "Agile and named so from now on" } });
  await expectExact("a counterparty was renamed");
  // After all notes are folded, the stored totals must be right without them.
  await pool.query("SELECT contract_counts_fold($1)", [organizationId]);
  expect(await prisma.contractCountNote.count({ where: { organizationId } })).toBe(0);
  await expectExact("summed up");
  // Lists read the stored totals, so an altered total shows up in the list.
  await pool.query("UPDATE contract_filter_totals SET count = count + 1000 WHERE organization_id = $1", [
    organizationId,
  ]);
  for (const [filter, where] of kept.filter(([filter]) => !("q" in filter)))
    expect(await totalOf(workspace, filter)).toBe(1000 + (await counts(workspace, where)));
});

test("a change that commits while a total is being counted is included exactly once", async ({
  workspace,
}) => {
  const { organizationId, ownerId } = workspace;
  const { prisma } = database();
  const asked = { q: "raw", tag: ["late"] };
  const insert = (tx: Pick<typeof prisma, "$executeRaw">, from: number, to: number) => tx.$executeRaw`
    INSERT INTO contracts (organization_id, id, title, type, our_role, owner_id, tags, updated_at)
    SELECT ${organizationId}, ${`ctr_${organizationId}`} || n, 'Raw ' || n, 'NDA', 'VENDOR', ${ownerId}, '{Late}', now()
    FROM generate_series(${from}::int, ${to}::int) AS n`;
  await insert(prisma, 1, 10);
  // Every 256th note folds the pending ones, under a lock that lasts until commit, and no total is stored then: retry.
  await expect(() =>
    prisma.$transaction(async (tx) => {
      await insert(tx, 11, 30);
      await keep(workspace, asked);
      expect((await keptTotals(workspace)).length).toBe(1);
      expect(await totalOf(workspace, asked)).toBe(10);
    }),
  ).toPass();
  expect(await totalOf(workspace, asked)).toBe(30);
  // Enough notes for several folds at the same time.
  await Promise.all(Array.from({ length: 8 }, (_, n) => insert(prisma, 100 + n * 100, 199 + n * 100)));
  expect(await totalOf(workspace, asked)).toBe(830);
});

test("no total is stored while another transaction folds count notes, and the list still counts correctly", async ({
  workspace,
}) => {
  const { organizationId } = workspace;
  await workspace.contract({ title: "One of these" });
  await database().prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT contract_counts_fold(${organizationId})::text`;
    await keep(workspace, { q: "these" });
  });
  expect(await keptTotals(workspace)).toEqual([]);
  expect(await totalOf(workspace, { q: "these" })).toBe(1);
});

test("a workspace stores only its 24 newest totals", async ({ workspace }) => {
  await workspace.contract({ title: "Lease of a hall" });
  const keys = new Set<string>();
  for (let n = 0; n < 26; n++) {
    await keep(workspace, { q: `hall ${n}` });
    for (const { key } of await keptTotals(workspace)) keys.add(key);
  }
  expect(keys.size).toBe(26);
  expect((await keptTotals(workspace)).map(({ key }) => key)).toEqual([...keys].slice(2));
});

test("the first count of a search also stores its total if it was slow, unless counts are being folded", async ({
  workspace,
}) => {
  const { ctx, organizationId } = workspace;
  await workspace.contract({ title: "Town hall" });
  const filter = await filterOf(ctx, filterFrom({ q: "hall" }));
  expect(await storeTotal(ctx, filter, 60_000), "quick: counted, and not kept").toBe(1);
  expect(await keptTotals(workspace)).toEqual([]);
  const other = await database().pool.connect();
  try {
    await other.query("BEGIN");
    await other.query("SELECT pg_advisory_xact_lock(hashtextextended('contract_counts ' || $1, 0))", [
      organizationId,
    ]);
    expect(await storeTotal(ctx, filter), "while notes are summed up").toBeNull();
    await other.query("COMMIT");
  } finally {
    other.release();
  }
  expect(await storeTotal(ctx, filter)).toBe(1);
  expect(await storeTotal(ctx, filter), "kept already").toBeNull();
  expect((await keptTotals(workspace)).map(({ key }) => key)).toEqual([filter.storable?.key]);

  const others = await filterOf(ctx, filterFrom({ q: "town" }));
  expect([await countIfUnknown(ctx, others), await countIfUnknown(ctx, others)]).toEqual([1, null]);
  const notASearch = await filterOf(ctx, filterFrom({ type: ["NDA"], effectiveFrom: "2026-01-01" }));
  expect(await countIfUnknown(ctx, notASearch)).toBeNull();
});

test("a total that is slow to count is stored", async ({ workspace }) => {
  const { ctx } = workspace;
  const filter = await filterOf(ctx, filterFrom({ q: "hall" }));
  await countAndStore(ctx, filter, async () => "at once");
  const spent = process.cpuUsage();
  await countAndStore(ctx, filter, async () => {
    while (process.cpuUsage(spent).user < 60_000);
  });
  await expect
    .poll(async () => (await keptTotals(workspace)).map(({ key }) => key))
    .toEqual([filter.storable?.key]);
});
