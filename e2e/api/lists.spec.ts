/** Lists of contracts: however a page is found, it is the page that a full sort would give, and an index finds it. */
import { contractSorts } from "#lib/contracts/lifecycle.ts";
import { listContracts } from "#lib/contracts/list.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import { database } from "#lib/core/db.ts";
import { haveLetters, nameHasLetters } from "#lib/core/search.ts";
import { jump } from "#lib/overview/search/jump.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { archivedFilters, fill } from "../listed.ts";
import { newMember } from "../members.ts";
import { randomNumbers } from "../random.ts";
import { type Plan, queriesOf } from "../statements.ts";

test("every filter and sort returns the page and total that fully sorting all matches would", async ({
  workspace,
}) => {
  const { ctx, organizationId } = workspace;
  const { userId } = await newMember({ ctx }, "member");
  const [party = ""] = await fill(workspace, [userId], 420);
  const columns: Record<string, string> = {
    ...{
      lastActivityAt: "last_activity_at",
      createdAt: "created_at",
      updatedAt: "updated_at",
      title: "lower(title)",
    },
    ...{ effectiveDate: "effective_date", executedAt: "executed_at", expiresAt: "expires_at" },
    ...{ statusChangedAt: "status_changed_at", valueCents: "value_cents" },
  };
  for (const [filter, where] of archivedFilters(userId, party)) {
    for (const sort of contractSorts) {
      for (const dir of ["asc", "desc"] as const) {
        const { rows } = await database().pool.query<{ id: string }>(
          `SELECT id FROM (SELECT c.* FROM contracts c LEFT JOIN counterparties cp ON cp.id = c.counterparty_id
             WHERE c.organization_id = $1 AND ${where} OFFSET 0) c
           ORDER BY ${columns[sort]} ${dir} NULLS LAST, c.id ${dir}`,
          [organizationId],
        );
        const pages = Math.max(1, Math.ceil(rows.length / 50));
        for (const page of new Set([1, Math.ceil(pages / 2), pages, pages + 1])) {
          const found = await listContracts(ctx, ContractQuery.parse({ ...filter, sort, dir, page }));
          const shown = found.data.map((text) => JSON.parse(String(text?.text)).id);
          const label = JSON.stringify({ filter, sort, dir, page });
          expect([found.total, shown], label).toEqual([
            rows.length,
            rows.slice((page - 1) * 50, page * 50).map(({ id }) => id),
          ]);
        }
      }
    }
  }
  const counted = await database().pool.query(
    "SELECT count(*)::int AS n FROM contracts WHERE organization_id = $1",
    [organizationId],
  );
  expect(counted.rows[0].n).toBe(420);
});

/** Inserts contracts 1 to `count`, each active a minute after the one before; `title` is SQL on the number n. */
async function insertNumbered({ organizationId, ownerId }: Workspace, count: number, title: string) {
  await database().pool.query(
    `INSERT INTO contracts (organization_id, id, title, type, our_role, owner_id, last_activity_at, updated_at)
     SELECT $1, 'ctr_' || $1 || lpad(n::text, 6, '0'), ${title}, 'NDA', 'VENDOR', $2,
       '2026-01-01'::timestamptz + interval '1 minute' * n, now()
     FROM generate_series(1, $3::int) AS n`,
    [organizationId, ownerId, count],
  );
}

test("a search returns the right pages wherever its matches are in the list", async ({ workspace }) => {
  const { ctx, organizationId } = workspace;
  const title =
    "CASE WHEN n % 17 = 0 THEN 'Even ' ELSE 'Other ' END || CASE WHEN n <= 300 THEN 'early ' ELSE '' END || n";
  await insertNumbered(workspace, 5000, title);
  const valued = "UPDATE contracts SET value_cents = right(id, 6)::int % 700 WHERE organization_id = $1 AND";
  await database().pool.query(`${valued} right(id, 6)::int % 3 > 0`, [organizationId]);
  for (const [q, found] of [
    ["even", 294],
    ["early", 300],
  ] as const) {
    for (const [sort, dir, column] of [
      ["lastActivityAt", "desc", "last_activity_at"],
      ["lastActivityAt", "asc", "last_activity_at"],
      ["title", "asc", "lower(title)"],
      ["valueCents", "desc", "value_cents"],
    ] as const) {
      const { rows } = await database().pool.query<{ id: string }>(
        `SELECT id FROM contracts WHERE organization_id = $1 AND title ILIKE $2 ORDER BY ${column} ${dir} NULLS LAST, id ${dir}`,
        [organizationId, `%${q}%`],
      );
      for (let page = 1; page <= 6; page++) {
        const { data, total } = await listContracts(ctx, ContractQuery.parse({ q, sort, dir, page }));
        const shown = data.map((text) => JSON.parse(String(text?.text)).id);
        expect([total, shown], `${q} ${sort} ${dir} ${page}`).toEqual([
          found,
          rows.slice((page - 1) * 50, page * 50).map(({ id }) => id),
        ]);
      }
    }
  }
});

test("matches at the far end of a list are found without reading every row before them", async ({
  workspace,
}) => {
  const { ctx, organizationId } = workspace;
  const title = "CASE WHEN n <= 600 THEN 'Early ' WHEN n <= 2000 THEN 'Earlier ' ELSE 'Later ' END || n";
  await insertNumbered(workspace, 12_000, title);
  const { pool } = database();
  const approved =
    "UPDATE contracts SET status = 'APPROVED' WHERE organization_id = $1 AND right(id, 6) <= '002000'";
  await pool.query(approved, [organizationId]);
  const dated =
    "UPDATE contracts SET effective_date = '2021-01-01' WHERE organization_id = $1 AND right(id, 6) <= '001000'";
  await pool.query(dated, [organizationId]);
  await pool.query("VACUUM ANALYZE contracts, contract_words");
  for (const [query, ...found] of [
    [{ q: "early" }, 600, "Early 600"],
    [{ q: "early", ownerId: workspace.ownerId }, 600, "Early 600"],
    [{ status: ["APPROVED"], sort: "title", dir: "desc" }, 2000, "Early 99"],
    [{ effectiveTo: "2021-12-31", type: ["NDA"] }, 1000, "Earlier 1000"],
    [{ effectiveTo: "2021-12-31" }, 1000, "Earlier 1000"],
  ] as const) {
    const queries = await queriesOf(async () => {
      const { data, total } = await listContracts(ctx, ContractQuery.parse(query));
      expect([total, JSON.parse(String(data[0]?.text)).title]).toEqual(found);
    });
    for (const { text, values } of queries.filter(isReading)) {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      expect(readInVain(rows[0]["QUERY PLAN"][0].Plan), text).toBeLessThan(5000);
    }
  }
});

/** Returns the most rows that one step of a plan has read without a match. */
const readInVain = (plan: Plan): number =>
  Math.max(plan["Rows Removed by Filter"] ?? 0, ...(plan.Plans ?? []).map(readInVain));

test("a page in index order reads only its own 50 rows, whatever it is sorted by", async ({ workspace }) => {
  const { ctx } = workspace;
  await insertNumbered(workspace, 4000, "'Contract ' || n");
  const { pool } = database();
  const dated = "UPDATE contracts SET effective_date = last_activity_at WHERE organization_id = $1";
  await pool.query(dated, [ctx.organizationId]);
  await pool.query("VACUUM ANALYZE contracts");
  const status = ["DRAFT"];
  for (const query of [
    { status, sort: "title", dir: "desc" },
    { q: "contract" },
    { effectiveFrom: "2026-01-02" },
    { effectiveFrom: "2026-01-02", status, sort: "effectiveDate", dir: "asc" },
    { archived: "any" },
    { archived: "any", sort: "title" },
    { archived: "any", q: "contract" },
  ]) {
    const queries = await queriesOf(() => listContracts(ctx, ContractQuery.parse(query)));
    const plans = [];
    for (const { text, values } of queries.filter(isReading)) {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      plans.push(rows[0]["QUERY PLAN"][0].Plan);
    }
    const read = plans.map(readInOrder).reduce((sum, one) => sum + one, 0);
    expect(read, JSON.stringify([query, plans], null, 1)).toBe(50);
  }
});

test("a page's contracts are fetched by primary key, however the planner joins their owners", async ({
  workspace,
}) => {
  await insertNumbered(workspace, 4000, "'Contract ' || n");
  const { pool } = database();
  await pool.query("VACUUM ANALYZE contracts");
  const listed = () => listContracts(workspace.ctx, ContractQuery.parse({ sort: "title" }));
  const [printing] = (await queriesOf(listed)).filter(({ text }) => text.startsWith('SELECT c.id AS "id"'));
  const client = await pool.connect();
  await client.query("BEGIN; SET LOCAL enable_nestloop = off; SET LOCAL enable_hashjoin = off");
  await client.query("SET LOCAL enable_sort = off");
  const { rows } = await client
    .query(`EXPLAIN (ANALYZE, FORMAT JSON) ${printing!.text}`, printing!.values)
    .finally(() => client.query("ROLLBACK").finally(() => client.release()));
  const plan = rows[0]["QUERY PLAN"][0].Plan;
  expect(readInOrder(plan), JSON.stringify(plan, null, 1)).toBe(0);
});

/** Excludes the statements that store a total. */
const isReading = ({ text }: { text: string }) => /^\s*(SELECT|WITH)\b/.test(text);

/** Returns how many contracts the steps of a plan have read, except those that fetch the rows to show. */
const readInOrder = (plan: Plan): number =>
  (plan["Relation Name"] === "contracts" && plan["Index Name"] !== "contracts_pkey"
    ? plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)
    : 0) + (plan.Plans ?? []).reduce((read, one) => read + readInOrder(one), 0);

test("title searches and effective-date filters can be served by index-only scans", async ({ workspace }) => {
  await insertNumbered(workspace, 2000, "'Contract ' || n");
  const { pool } = database();
  await pool.query("UPDATE contracts SET effective_date = last_activity_at WHERE organization_id = $1", [
    workspace.organizationId,
  ]);
  await pool.query("ANALYZE contracts");
  for (const [query, index] of [
    [{ q: "contract" }, "contracts_titles_and_dates_by_activity"],
    [{ effectiveFrom: "2026-01-02" }, "contracts_by_effective_half_year"],
    [{ effectiveFrom: "2026-01-02", q: "contract" }, "contracts_titles_and_dates_by_activity"],
  ] as const) {
    const listed = () => listContracts(workspace.ctx, ContractQuery.parse(query));
    const [last] = (await queriesOf(listed)).filter(({ text }) => text.startsWith("WITH page")).slice(-1);
    const client = await pool.connect();
    await client.query("BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
    await client.query("SET LOCAL enable_indexscan = off");
    const { rows } = await client
      .query(`EXPLAIN ${last!.text}`, last!.values)
      .finally(() => client.query("ROLLBACK").finally(() => client.release()));
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan, JSON.stringify(query)).toMatch(new RegExp(`Index Only Scan (Backward )?using ${index}`));
  }
});

test("one- or two-letter searches match starts of words, longer ones anywhere, in titles and counterparties", async ({
  workspace,
  other,
}) => {
  const { body } = await workspace.api("POST /counterparties", { body: { name: "Øst & Søn (Agder)" } });
  await workspace.contract({ title: "Zoo", counterpartyId: body.counterparty.id });
  await workspace.contract({ title: "Managed services, e-mail at 5% off" });
  await workspace.contract({ title: "ORDER_FORM d'Ivoire" });
  await other.contract({ title: "Managed services" });
  const found = async (q: string) => {
    const reply = await workspace.api(`GET /contracts?sort=title&dir=asc&q=${encodeURIComponent(q)}`);
    expect(reply.body.total).toBe(reply.body.data.length);
    return reply.body.data.map(({ title }: { title: string }) => title.split(/[ ,]/)[0]);
  };
  for (const q of ["m", "ma", "MA", "s", "se", "e", "5", "5%", "%", "of", "rvi"])
    expect(await found(q), q).toContain("Managed");
  for (const q of ["an", "ge", "er", "f,"]) expect(await found(q), q).not.toContain("Managed");
  for (const q of ["ø", "ØS", "sø", "&", "(", "ag", "øn (", "zo"]) expect(await found(q), q).toEqual(["Zoo"]);
  for (const q of ["st", "øn", "oo"]) expect(await found(q), q).toEqual([]);
  for (const q of ["or", "iv", "d", "d'"]) expect(await found(q), q).toContain("ORDER_FORM");
});

test("matching a name directly and through its indexed words gives the same result for any text", async () => {
  const signs = [..."aBéÉßø名ж7_-%\\.('& ", "\u0301"];
  const random = randomNumbers("letters");
  const written = (most: number) =>
    Array.from(
      { length: 1 + Math.floor(random() * most) },
      () => signs[Math.floor(random() * signs.length)],
    ).join("");
  const names = Array.from({ length: 400 }, () => written(9));
  const letters = [...new Set([...signs, ...Array.from({ length: 200 }, () => written(4))])];
  const { rows } = await database().pool.query<{ name: string; q: string; of: boolean; read: boolean }>(
    `SELECT name, q, of, read FROM unnest($1::text[]) AS name, unnest($2::text[]) AS q,
       LATERAL (SELECT ${haveLetters("words_of(name)", "q")} AS of, ${nameHasLetters("name", "q")} AS read) has
     WHERE of OR read`,
    [names, letters],
  );
  expect(rows.length).toBeGreaterThan(1000);
  expect(rows.filter(({ of, read }) => of !== read)).toEqual([]);
});

test("lists and searches in a large workspace use indexes, whatever the filter and sort", async ({
  workspace,
}) => {
  const { ctx, organizationId } = workspace;
  const { userId } = await newMember({ ctx }, "member");
  const [party = ""] = await fill(workspace, [userId], 20_000);
  await database().pool.query(
    "VACUUM ANALYZE contracts, contract_words, contract_tags, counterparties, contract_counts, contract_day_counts",
  );
  const asked = [
    ...[...archivedFilters(userId, party).slice(0, 18), ...archivedFilters(userId, party).slice(-4)].flatMap(
      ([filter]) => [1, 30].map((page) => ({ ...filter, page })),
    ),
    ...contractSorts.flatMap((sort) =>
      ["asc", "desc"].flatMap((dir) => [1, 30, 390].map((page) => ({ sort, dir, page }))),
    ),
    ...contractSorts.flatMap((sort) =>
      [1, 30].map((page) => ({ sort, page, archived: sort < "e" ? "any" : "true" })),
    ),
    ...[{ q: "zz" }, { q: "zzz" }, { q: "agate 77" }, { status: ["ACTIVE"], sort: "expiresAt" }],
  ];
  const queries = await queriesOf(async () => {
    for (const query of asked) await listContracts(ctx, ContractQuery.parse(query));
    for (const q of ["z", "zz", "zzz"]) await jump(ctx, { q });
  });
  expect(queries.length).toBeGreaterThan(100);
  for (const { text, values } of queries) {
    expect(values[0]).toBe(organizationId);
    const { rows } = await database().pool.query(`EXPLAIN ${text}`, values);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan, `${text}\n${values}`).not.toMatch(/Seq Scan on (contracts|contract_words|contract_tags) /);
  }
});
