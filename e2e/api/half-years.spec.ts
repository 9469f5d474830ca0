/** Lists by days in the order of the last activity, which are merged from the half-years that the days reach. */
import { listContracts } from "#lib/contracts/list.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import { database } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { fill } from "../listed.ts";
import { queriesOf } from "../statements.ts";

/** Contracts that took effect at any hour of three years and ended soon after; those of the last year were active last. */
async function fillThreeYears(workspace: Workspace): Promise<void> {
  await fill(workspace, [workspace.ownerId], 9000);
  const { pool } = database();
  await pool.query(
    `UPDATE contracts SET effective_date = '2022-01-01Z'::timestamptz + interval '1 hour' * (n * 7 % 26280), term_months = 1 + n % 3,
       last_activity_at = '2025-01-01Z'::timestamptz + interval '1 minute' * (n * 7 % 26280 / 8760 * 10000 + n * 13 % 5000)
     FROM (SELECT id, right(id, 6)::int AS n FROM contracts WHERE organization_id = $1) numbered
     WHERE organization_id = $1 AND contracts.id = numbered.id AND n % 10 > 0`,
    [workspace.organizationId],
  );
  await pool.query("VACUUM ANALYZE contracts");
}

const since = (day: string) => `c.effective_date >= '${day}Z'`;
const until = (day: string) => `c.effective_date < '${day}Z'::timestamptz + interval '1 day'`;

test("contracts of some days by their last activity are those that sorting all would give", async ({
  workspace,
}) => {
  const { ctx, organizationId } = workspace;
  await fillThreeYears(workspace);
  const filters: [query: Record<string, unknown>, where: string][] = [
    [{ effectiveTo: "2022-12-31" }, until("2022-12-31")],
    [{ effectiveTo: "2024-02-29" }, until("2024-02-29")],
    [{ effectiveFrom: "2022-05-30" }, since("2022-05-30")],
    [
      { effectiveFrom: "2022-03-31", effectiveTo: "2023-03-31" },
      `${since("2022-03-31")} AND ${until("2023-03-31")}`,
    ],
    [{ expiresTo: "2024-06-01" }, "c.expires_at <= '2024-06-01'"],
    [{ expiresFrom: "2023-06-01" }, "c.expires_at >= '2023-06-01'"],
    [
      { effectiveTo: "2023-12-31", expiresFrom: "2024-01-01" },
      `${until("2023-12-31")} AND c.expires_at >= '2024-01-01'`,
    ],
    [{ effectiveTo: "2023-12-31", autoRenews: false }, `${until("2023-12-31")} AND NOT c.auto_renews`],
    [
      { effectiveTo: "2023-12-31", status: ["ACTIVE", "DRAFT", "EXPIRED", "APPROVED", "EXECUTED"] },
      `${until("2023-12-31")} AND c.status IN ('ACTIVE', 'DRAFT', 'EXPIRED', 'APPROVED', 'EXECUTED')`,
    ],
    [
      { effectiveTo: "2023-12-31", valueCurrency: ["EUR"] },
      `${until("2023-12-31")} AND c.value_currency = 'EUR'`,
    ],
    [{ effectiveTo: "2023-12-31", q: "lease" }, `${until("2023-12-31")} AND c.title ILIKE '%lease%'`],
    [{ effectiveTo: "2023-12-31", tag: ["übersee"] }, `${until("2023-12-31")} AND 'ÜBERSEE' = ANY(c.tags)`],
  ];
  const archived = { false: "NOT c.archived", any: "true" };
  for (const [filter, where] of filters) {
    for (const [which, among] of Object.entries(archived)) {
      for (const dir of ["desc", "asc"] as const) {
        const { rows } = await database().pool.query<{ id: string }>(
          `SELECT c.id FROM contracts c WHERE c.organization_id = $1 AND ${among} AND ${where}
           ORDER BY last_activity_at ${dir}, c.id ${dir}`,
          [organizationId],
        );
        const pages = Math.ceil(rows.length / 50);
        for (const page of new Set([1, 2, Math.ceil(pages / 2), pages])) {
          const query = ContractQuery.parse({ ...filter, archived: which, dir, page });
          const { data, total } = await listContracts(ctx, query);
          const shown = data.map((text) => JSON.parse(String(text?.text)).id);
          expect([total, shown], JSON.stringify(query)).toEqual([
            rows.length,
            rows.slice((page - 1) * 50, page * 50).map(({ id }) => id),
          ]);
        }
      }
    }
  }
});

test("what began or ended long ago is read from the half-years of those days, and not behind all that is alive", async ({
  workspace,
}) => {
  const { ctx } = workspace;
  await fillThreeYears(workspace);
  for (const [query, index] of [
    [{ effectiveTo: "2022-12-31" }, "contracts_by_effective_half_year"],
    [{ effectiveTo: "2022-12-31", archived: "any" }, "contracts_by_effective_half_year"],
    [{ effectiveTo: "2022-12-31", autoRenews: false }, "contracts_by_effective_half_year"],
    [{ expiresTo: "2024-06-01" }, "contracts_by_expiry_half_year"],
    [{ effectiveTo: "2022-12-31", expiresFrom: "2022-03-01" }, "contracts_by_effective_half_year"],
  ] as const) {
    const queries = await queriesOf(() => listContracts(ctx, ContractQuery.parse(query)));
    const pages = queries.filter(({ text }) => text.startsWith("WITH page"));
    expect(pages, JSON.stringify(query)).toHaveLength(1);
    const [{ text, values }] = pages as [(typeof pages)[0]];
    const { rows } = await database().pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    const scans = scansOf(rows[0]["QUERY PLAN"][0].Plan);
    expect(new Set(scans.map((scan) => scan["Index Name"])), JSON.stringify(query)).toEqual(new Set([index]));
    const read = scans.reduce(
      (sum, scan) => sum + scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0),
      0,
    );
    expect(read, JSON.stringify(query)).toBeLessThan(1000);
  }
});

interface Plan {
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** The steps of a plan that read contracts, but for those that are then shown. */
const scansOf = (plan: Plan): Plan[] => [
  ...(plan["Relation Name"] === "contracts" && plan["Index Name"] !== "contracts_pkey" ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];
