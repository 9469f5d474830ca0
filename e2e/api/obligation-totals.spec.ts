/** Counts in obligation lists and on Home are not computed on each read: they change with the rows, whatever writes. */
import { addDays, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { obligationStatuses } from "#lib/obligations/lifecycle.ts";
import { writeOwners } from "#lib/obligations/owners.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";

const today = dayOf(new Date());
/** A full recount of all obligations for each counter table: its column, and how it is computed. */
const recounts = {
  obligation_day_counts: { day: "COALESCE(resolved_date, 'infinity')" },
  obligation_kind_counts: { kind: "kind" },
};

/** Returns where the counters differ from a count of the rows. */
async function miscounted({ organizationId }: Workspace, suffix = "_now"): Promise<object[]> {
  const all = Object.entries(recounts).map(async ([table, columns]) => {
    const [[name, value]] = Object.entries(columns) as [[string, string]];
    const grouped = "WHERE organization_id = $1 GROUP BY 1, 2, 3";
    const kept = `SELECT archived, state, ${name}, sum(count)::int AS count FROM ${table}${suffix} ${grouped} HAVING sum(count) <> 0`;
    const recount = `SELECT archived, state, ${value} AS ${name}, count(*)::int AS count FROM obligations ${grouped}`;
    const both = `(${kept} EXCEPT ${recount}) UNION ALL (${recount} EXCEPT ${kept})`;
    return (await database().pool.query(both, [organizationId])).rows;
  });
  return (await Promise.all(all)).flat();
}

/** Folds the pending notes; the counters must then be right without them, and contain no zeros. */
async function expectFolded(workspace: Workspace) {
  const { pool } = database();
  await pool.query("SELECT obligation_counts_fold($1)", [workspace.organizationId]);
  for (const [table, which] of [
    ["obligation_count_notes", "true"],
    ...Object.keys(recounts).map((name) => [name, "count = 0"]),
  ]) {
    const text = `SELECT * FROM ${table} WHERE organization_id = $1 AND ${which}`;
    expect((await pool.query(text, [workspace.organizationId])).rows, table).toEqual([]);
  }
  expect(await miscounted(workspace, "")).toEqual([]);
}

/** Returns each list's total, and how many obligations its pages contain. */
async function totalsAndRows(workspace: Workspace, queries: string[]) {
  const all = queries.map(async (query) => {
    let rows = 0;
    for (let page = 1; ; page++) {
      const { body } = await workspace.api(`GET /obligations?${query}&page=${page}`);
      rows += body.data.length;
      if (body.data.length === 0) return [query, { total: body.total, rows }] as const;
    }
  });
  return Object.fromEntries(await Promise.all(all));
}

async function oblige(workspace: Workspace, contractId: string, fields: Record<string, unknown>) {
  const body = { contractId, kind: "REPORTING", title: "Report", ...fields };
  const { status, headers, text } = await workspace.api("POST /obligations", { body });
  expect(status, text).toBe(201);
  return headers.get("location")!.split("/").at(-1)!;
}

const onDay = (day: string) => ({ anchorType: "FIXED_DATE", fixedDate: day });

test("totals of obligations match the listed rows after every kind of change, for every filter", async ({
  workspace,
}) => {
  const { api } = workspace;
  const [first, second] = [await workspace.contract(), await workspace.contract()];
  const member = await newMember(workspace, "member");
  const due = await oblige(workspace, first.id, onDay(today));
  const overdue = await oblige(workspace, first.id, onDay(addDays(today, -1)));
  const recurring = await oblige(workspace, first.id, { ...onDay(addDays(today, 30)), recurrenceMonths: 3 });
  const upcoming = await oblige(workspace, second.id, onDay(addDays(today, 31)));
  await oblige(workspace, second.id, { anchorType: "EXPIRATION_DATE", offsetValue: 7 });
  await oblige(workspace, second.id, { ...onDay(today), kind: "AUDIT", assigneeId: member.userId });
  const queries = [
    ...["", "archived=true", "archived=any", "status=DUE&status=OVERDUE", "kind=REPORTING&q=report"],
    ...["kind=REPORTING", "kind=REPORTING&kind=AUDIT&archived=any", "kind=AUDIT&status=DUE"],
    ...obligationStatuses.map((status) => `status=${status}`),
    ...obligationStatuses.map((status) => `status=${status}&archived=any`),
    ...[`dueFrom=${today}T12:00:00Z`, `dueTo=${today}T00:00:00Z`],
    `dueFrom=${addDays(today, -1)}T00:00:00Z&dueTo=${addDays(today, 30)}T00:00:00Z&status=DUE&status=COMPLETED`,
    ...[`assigneeId=${member.userId}`, `assigneeId=${workspace.ownerId}`],
    ...[`ownerId=${workspace.ownerId}&status=DUE`, `contractId=${second.id}`],
  ];
  const counts = new Map<string, number[]>();
  const check = async (what: string) => {
    expect(await miscounted(workspace), what).toEqual([]);
    for (const [query, { total, rows }] of Object.entries(await totalsAndRows(workspace, queries))) {
      expect(total, `${query} after: ${what}`).toBe(rows);
      counts.set(query, [...(counts.get(query) ?? []), rows]);
    }
  };
  await check("creating them");
  const patch = (id: string, body: object) => api(`PATCH /obligations/${id}`, { body });
  const changes: [string, () => ReturnType<typeof api>][] = [
    ["completing one", () => patch(due, { status: "COMPLETED" })],
    ["completing a recurring one", () => patch(recurring, { status: "COMPLETED" })],
    ["waiving one", () => patch(overdue, { status: "WAIVED" })],
    ["another day and kind", () => patch(upcoming, { fixedDate: today, kind: "AUDIT" })],
    [
      "the contract's dates",
      () => api(`PUT /contracts/${second.id}/anchors`, { body: { effectiveDate: today, termMonths: 1 } }),
    ],
    ["archiving the contract", () => api(`PATCH /contracts/${first.id}`, { body: { archived: true } })],
    [
      "cancelling a contract",
      () => api(`POST /contracts/${second.id}/status`, { body: { next: "CANCELLED" } }),
    ],
    [
      "taking a contract out of the archive",
      () => api(`PATCH /contracts/${first.id}`, { body: { archived: false } }),
    ],
  ];
  for (const [what, act] of changes) {
    const { status, text } = await act();
    expect([what, status < 300 ? "done" : text]).toEqual([what, "done"]);
    await check(what);
  }
  const unmoved = [...counts].filter(([, all]) => all.every((count) => count === 0)).map(([query]) => query);
  expect(unmoved, "lists that never had any").toEqual(["status=SUGGESTED", "status=SUGGESTED&archived=any"]);
  await expectFolded(workspace);
});

test("rolled-back changes are not counted, and concurrent folds neither block nor count twice", async ({
  workspace,
}) => {
  const { prisma } = database();
  const { organizationId } = workspace;
  const { id: contractId } = await workspace.contract();
  const insert = (tx: Pick<typeof prisma, "$executeRaw">, count: number) => tx.$executeRaw`
    INSERT INTO obligations (organization_id, id, contract_id, kind, title, anchor_type, resolution_basis, resolved_date, updated_at)
    SELECT ${organizationId}, ${newId("obligation")} || n, ${contractId}, 'AUDIT', 'Raw', 'FIXED_DATE', '', current_date + n, now()
    FROM generate_series(1, ${count}::int) AS n`;
  const fold = (tx: Pick<typeof prisma, "$queryRaw">) =>
    tx.$queryRaw`SELECT obligation_counts_fold(${organizationId})::text`;
  await insert(prisma, 20);
  await expect(
    prisma.$transaction(async (tx) => {
      await insert(tx, 20);
      await fold(tx);
      await insert(prisma, 20);
      await fold(prisma);
      expect(await miscounted(workspace)).toEqual([]);
      throw new TypeError("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await prisma.obligation.count({ where: { organizationId } })).toBe(40);
  expect(await miscounted(workspace)).toEqual([]);
  await expectFolded(workspace);
  // However many changes are noted, a read only has to add up a few notes.
  await insert(prisma, 2000);
  expect(await prisma.obligationCountNote.count({ where: { organizationId } })).toBeLessThan(2000);
  await prisma.$executeRaw`UPDATE obligations SET state = 'WAIVED', resolved_date = NULL WHERE organization_id = ${organizationId}`;
  expect(await miscounted(workspace)).toEqual([]);
  await prisma.$executeRaw`DELETE FROM obligations WHERE organization_id = ${organizationId}`;
  expect(await miscounted(workspace)).toEqual([]);
  await expectFolded(workspace);
});

/** Returns how many obligations lack their contract's owner. */
async function withoutOwner({ organizationId }: Workspace): Promise<number> {
  const { rows } = await database().pool.query(
    `SELECT count(*)::int AS count FROM obligations o
     JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
     WHERE o.organization_id = $1 AND o.owner_id IS DISTINCT FROM c.owner_id`,
    [organizationId],
  );
  return rows[0].count;
}

test("obligations are found by their stored owner, or by their contract's owner until that is stored", async ({
  workspace,
}) => {
  const { pool } = database();
  const { userId: mel } = await newMember(workspace, "member", "Mel");
  const { organizationId, ownerId: olive } = workspace;
  const [ofOlive, ofMel] = [await workspace.contract(), await workspace.contract({ ownerId: mel })];
  const lists = [olive, mel].flatMap((id) => [`assigneeId=${id}`, `ownerId=${id}`, `ownerId=${id}&q=Report`]);
  const expected = (counts: number[]) =>
    Object.fromEntries(lists.map((list, at) => [list, { total: counts[at], rows: counts[at] }]));
  const anchor = { anchorType: "EVENT" };
  await oblige(workspace, ofOlive.id, anchor);
  const given = await oblige(workspace, ofOlive.id, { ...anchor, assigneeId: mel });
  await oblige(workspace, ofMel.id, anchor);
  const usual = expected([1, 2, 2, 2, 1, 1]);
  expect(await totalsAndRows(workspace, lists)).toEqual(usual);
  expect(await withoutOwner(workspace)).toBe(0);

  const forget = () =>
    pool.query("UPDATE obligations SET owner_id = NULL WHERE organization_id = $1", [organizationId]);
  await forget();
  expect(await totalsAndRows(workspace, lists)).toEqual(usual);
  await workspace.api(`PATCH /contracts/${ofMel.id}`, { body: { ownerId: olive } });
  const afterwards = expected([2, 3, 3, 1, 0, 0]);
  expect(await totalsAndRows(workspace, lists)).toEqual(afterwards);
  expect(await withoutOwner(workspace)).toBe(2);

  const other = await pool.connect();
  try {
    await other.query("BEGIN");
    await other.query("SELECT FROM obligations WHERE id = $1 FOR UPDATE", [given]);
    await writeOwners();
    expect(await withoutOwner(workspace), "what someone is changing is not waited for").toBe(1);
    expect(await totalsAndRows(workspace, lists)).toEqual(afterwards);
    await other.query("COMMIT");
  } finally {
    other.release();
  }
  await pool.query(
    `INSERT INTO obligations (organization_id, id, contract_id, kind, title, anchor_type, resolution_basis, updated_at)
     SELECT $1, 'obl_${organizationId}' || n, $2, 'REPORTING', 'More', 'EVENT', '', now() FROM generate_series(1, 2500) n`,
    [organizationId, ofOlive.id],
  );
  expect(await withoutOwner(workspace), "the database writes it, whoever inserts the row").toBe(1);
  await forget();
  await writeOwners();
  expect(await withoutOwner(workspace)).toBe(0);
});
