/** Lists filtered by date and ordered by last activity, which are merged from the half-years that the dates cover. */
import { listContracts } from "#lib/contracts/list.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import type { Context } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { type Plan, queriesOf } from "../statements.ts";

/** Creates contracts that took effect over three years and ended soon after; the last year's were active last. */
async function fillThreeYears({ organizationId, ownerId }: Workspace): Promise<void> {
  const { pool } = database();
  await pool.query(
    `INSERT INTO contracts (organization_id, id, title, type, our_role, status, owner_id, effective_date, term_months,
       auto_renews, value_cents, value_currency, last_activity_at, tags, archived_at, updated_at)
     SELECT $1, 'ctr_' || $1 || lpad(n::text, 6, '0'), CASE WHEN n % 9 > 1 THEN 'lease ' ELSE 'Terms ' END || n, 'NDA', 'VENDOR',
       (ARRAY['ACTIVE', 'DRAFT', 'EXPIRED'])[1 + n % 3], $2,
       CASE WHEN n % 10 > 0 THEN '2022-01-01Z'::timestamptz + interval '1 hour' * (n * 2917 % 26280) END, 1 + n % 3, n % 8 = 0,
       CASE WHEN n % 11 > 1 THEN n END, CASE WHEN n % 11 > 1 THEN (ARRAY['USD', 'EUR'])[1 + n % 2] END,
       '2025-01-01Z'::timestamptz + interval '1 minute' * (n * 2917 % 26280 / 8760 * 10000 + n * 13 % 5000),
       CASE WHEN n % 7 > 1 THEN ARRAY['ÜBERSEE'] ELSE '{}' END, CASE WHEN n % 12 = 5 THEN now() END, now()
     FROM generate_series(1, 9000) AS n`,
    [organizationId, ownerId],
  );
  await pool.query("VACUUM ANALYZE contracts");
}

const since = (day: string) => `c.effective_date >= '${day}Z'`;
const until = (day: string) => `c.effective_date < '${day}Z'::timestamptz + interval '1 day'`;

const year = until("2022-12-31");

/** Filters by dates alone, each with the same condition in SQL. */
const days: [query: Record<string, unknown>, where: string][] = [
  [{ effectiveTo: "2022-12-31" }, year],
  [{ effectiveTo: "2024-02-29" }, until("2024-02-29")],
  [{ effectiveFrom: "2022-05-30" }, since("2022-05-30")],
  [
    { effectiveFrom: "2022-03-31", effectiveTo: "2023-03-31" },
    `${since("2022-03-31")} AND ${until("2023-03-31")}`,
  ],
  [{ expiresTo: "2024-06-01" }, "c.expires_at <= '2024-06-01'"],
  [{ expiresFrom: "2023-06-01" }, "c.expires_at >= '2023-06-01'"],
  [{ effectiveTo: "2022-12-31", expiresFrom: "2022-03-01" }, `${year} AND c.expires_at >= '2022-03-01'`],
];

/** Filters to combine with the first of the three years. */
const others: [query: Record<string, unknown>, where: string][] = [
  [{ autoRenews: false }, "NOT c.auto_renews"],
  [{ status: ["ACTIVE", "DRAFT"] }, "c.status IN ('ACTIVE', 'DRAFT')"],
  [{ valueCurrency: ["EUR", "USD"] }, "c.value_currency IN ('EUR', 'USD')"],
  [{ q: "lease" }, "c.title ILIKE '%lease%'"],
  [{ tag: ["übersee"] }, "'ÜBERSEE' = ANY(c.tags)"],
];

test("lists filtered by date match a full sort, and read only the half-years that the dates cover", async ({
  workspace,
}) => {
  const { ctx } = workspace;
  await fillThreeYears(workspace);
  for (const [filter, where] of days) {
    await expectPages(ctx, filter, `NOT c.archived AND ${where}`);
    await expectPages(ctx, { ...filter, archived: "any" }, where);
  }
  for (const [filter, where] of others) {
    const query = { ...filter, effectiveTo: "2022-12-31" };
    await expectPages(ctx, query, `NOT c.archived AND ${year} AND ${where}`);
    await expectPages(ctx, { ...query, archived: "any" }, `${year} AND ${where}`);
    expect(await textsOf(ctx, query), JSON.stringify(query)).toContain("/ 182) =");
  }
  for (const [query, index] of [
    [{ effectiveTo: "2022-12-31" }, "contracts_by_effective_half_year"],
    [{ effectiveTo: "2024-02-29", archived: "any" }, "contracts_by_effective_half_year"],
    [{ effectiveTo: "2022-12-31", autoRenews: false }, "contracts_by_effective_half_year"],
    [{ expiresTo: "2024-06-01" }, "contracts_by_expiry_half_year"],
    [{ effectiveTo: "2022-12-31", expiresFrom: "2022-03-01" }, "contracts_by_effective_half_year"],
  ] as const) {
    const label = JSON.stringify(query);
    const pages = await pagesOf(ctx, query);
    expect(pages, label).toHaveLength(1);
    const [{ text, values }] = pages as [(typeof pages)[0]];
    const { rows } = await database().pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    const scans = scansOf(rows[0]["QUERY PLAN"][0].Plan);
    expect(new Set(scans.map((scan) => scan["Index Name"])), label).toEqual(new Set([index]));
    const read = scans.reduce(
      (sum, scan) => sum + scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0),
      0,
    );
    expect(read, label).toBeLessThan(1500);
  }
  // Date filters that match most contracts leave the other filters to their own indexes.
  expect(await textsOf(ctx, { effectiveTo: "2024-12-31", status: ["ACTIVE", "DRAFT"] })).not.toContain(
    "/ 182)",
  );
});

/** Checks the first two pages, one in the middle and the last, in both directions. */
async function expectPages(ctx: Context, filter: Record<string, unknown>, where: string) {
  for (const dir of ["desc", "asc"] as const) {
    const { rows } = await database().pool.query<{ id: string }>(
      `SELECT c.id FROM contracts c WHERE c.organization_id = $1 AND ${where} ORDER BY last_activity_at ${dir}, c.id ${dir}`,
      [ctx.organizationId],
    );
    const pages = Math.ceil(rows.length / 50);
    for (const page of new Set([1, 2, Math.ceil(pages / 2), pages])) {
      const query = ContractQuery.parse({ ...filter, dir, page });
      const { data, total } = await listContracts(ctx, query);
      const shown = data.map((text) => JSON.parse(String(text?.text)).id);
      expect([total, shown], JSON.stringify(query)).toEqual([
        rows.length,
        rows.slice((page - 1) * 50, page * 50).map(({ id }) => id),
      ]);
    }
  }
}

/** Returns the statements that find the ids of a page. */
const pagesOf = async (ctx: Context, query: Record<string, unknown>) =>
  (await queriesOf(() => listContracts(ctx, ContractQuery.parse(query)))).filter(({ text }) =>
    text.startsWith("WITH page"),
  );

const textsOf = async (ctx: Context, query: Record<string, unknown>) =>
  (await pagesOf(ctx, query)).map(({ text }) => text).join("\n");

/** Returns the steps of a plan that read contracts, except those that fetch the rows to show. */
const scansOf = (plan: Plan): Plan[] => [
  ...(plan["Relation Name"] === "contracts" && plan["Index Name"] !== "contracts_pkey" ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];
