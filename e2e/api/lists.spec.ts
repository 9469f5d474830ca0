/** Lists of contracts: whichever way a page is found, it is the page that sorting all would give; and by an index. */
import { contractSorts, contractStatuses } from "#lib/contracts/lifecycle.ts";
import { listContracts } from "#lib/contracts/list.ts";
import { ContractQuery, contractTypes, ourRoles } from "#lib/contracts/schema.ts";
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { jump } from "#lib/overview/search/jump.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";
import { queriesOf } from "../statements.ts";

/** Contracts of every kind: repeated values, so that ids have to decide, and empty ones. */
async function fill(
  { organizationId, ownerId }: Workspace,
  owners: string[],
  count: number,
): Promise<string[]> {
  const parties = Array.from({ length: 20 }, () => newId("counterparty"));
  const { pool } = database();
  await pool.query(
    `INSERT INTO counterparties (organization_id, id, name, relationship_types, updated_at)
     SELECT $1, id, CASE n % 4 WHEN 0 THEN 'Agile Harbor ' ELSE 'Northwind ' END || n, '{}', now()
     FROM unnest($2::text[]) WITH ORDINALITY AS party (id, n)`,
    [organizationId, parties],
  );
  await pool.query(
    `INSERT INTO contracts (organization_id, id, title, type, our_role, status, owner_id, counterparty_id, effective_date,
       term_months, auto_renews, executed_at, value_cents, value_currency, last_activity_at, created_at, tags, archived_at,
       updated_at)
     SELECT $1, 'ctr_' || $1 || lpad(n::text, 6, '0'), (ARRAY['Lease', 'lease of Agate', 'Service-level terms', 'Übersicht'])[1 + n % 4]
         || ' ' || n / 3,
       ($4::text[])[1 + n % 19], ($5::text[])[1 + n % 8], ($6::text[])[1 + n * 7 % 10], ($2::text[])[1 + n % 3 % 2],
       CASE WHEN n % 5 > 0 THEN ($3::text[])[1 + n % 20] END, day, CASE WHEN n % 3 > 0 THEN 1 + n % 30 END, n % 6 = 0,
       CASE WHEN n % 2 = 0 THEN day END, CASE WHEN n % 7 > 2 THEN n % 40 END,
       CASE WHEN n % 7 > 2 THEN (ARRAY['USD', 'EUR'])[1 + n % 2] END,
       '2026-01-01'::timestamptz + interval '1 hour' * (n * 17 % 97), '2026-01-01'::timestamptz + interval '1 day' * (n / 9),
       CASE WHEN n % 11 = 0 THEN ARRAY['Audit', 'Q' || n % 4] WHEN n % 2 = 0 THEN ARRAY['ÜBERSEE'] ELSE '{}' END,
       CASE WHEN n % 6 = 3 THEN now() END, now()
     FROM generate_series(1, $7::int) AS n,
       LATERAL (SELECT CASE WHEN n % 4 > 0 THEN '2025-01-01'::timestamptz + interval '1 day' * (n % 60) END AS day) AS dates`,
    [organizationId, [ownerId, ...owners], parties, contractTypes, ourRoles, contractStatuses, count],
  );
  return parties;
}

/** Filters, and what they ask for as a condition on contracts c and their counterparties cp. */
const filters = (ownerId: string, counterpartyId: string): [Record<string, unknown>, string][] => [
  [{}, "true"],
  [{ status: ["ACTIVE"] }, "c.status = 'ACTIVE'"],
  [{ status: ["DRAFT", "ACTIVE", "EXPIRED"] }, "c.status IN ('DRAFT', 'ACTIVE', 'EXPIRED')"],
  [{ type: ["NDA", "LEASE"] }, "c.type IN ('NDA', 'LEASE')"],
  [{ ourRole: ["TENANT"] }, "c.our_role = 'TENANT'"],
  [{ ownerId }, `c.owner_id = '${ownerId}'`],
  [{ counterpartyId }, `c.counterparty_id = '${counterpartyId}'`],
  [{ autoRenews: true }, "c.auto_renews"],
  [{ valueCurrency: ["EUR"] }, "c.value_currency = 'EUR'"],
  [
    { effectiveFrom: "2025-01-10", effectiveTo: "2025-02-01" },
    "c.effective_date >= '2025-01-10Z' AND c.effective_date < '2025-02-02Z'",
  ],
  [
    { expiresFrom: "2026-01-01", status: ["ACTIVE", "EXECUTED"] },
    "c.expires_at >= '2026-01-01' AND c.status IN ('ACTIVE', 'EXECUTED')",
  ],
  [{ expiresTo: "2026-01-01", type: ["MSA"] }, "c.expires_at <= '2026-01-01' AND c.type = 'MSA'"],
  [{ ownerId, status: ["ACTIVE", "DRAFT"] }, `c.owner_id = '${ownerId}' AND c.status IN ('ACTIVE', 'DRAFT')`],
  [{ ownerId, valueCurrency: ["USD"] }, `c.owner_id = '${ownerId}' AND c.value_currency = 'USD'`],
  [{ status: ["ACTIVE"], ourRole: ["TENANT"] }, "c.status = 'ACTIVE' AND c.our_role = 'TENANT'"],
  [{ q: "ag" }, "(c.title ~* '\\mag' OR cp.name ~* '\\mag')"],
  [{ q: "arb" }, "(c.title ILIKE '%arb%' OR cp.name ILIKE '%arb%')"],
  [{ q: "e-l" }, "(c.title ILIKE '%e-l%' OR cp.name ILIKE '%e-l%')"],
  [{ q: "ü" }, "(c.title ~* '\\mü' OR cp.name ~* '\\mü')"],
  [{ q: "lease", status: ["ACTIVE"] }, "c.title ILIKE '%lease%' AND c.status = 'ACTIVE'"],
  [{ tag: ["übersee"] }, "'ÜBERSEE' = ANY(c.tags)"],
  [{ tag: ["AUDIT", "q3"], autoRenews: false }, "c.tags = '{Audit,Q3}' AND NOT c.auto_renews"],
];

/** What is archived is asked for, alone or with the rest. */
const archivedFilters = (ownerId: string, counterpartyId: string) =>
  filters(ownerId, counterpartyId).flatMap(([filter, where], at): [Record<string, unknown>, string][] => [
    [filter, `NOT c.archived AND ${where}`],
    // Each in one of the two ways, for what finds and counts is the same.
    [{ ...filter, archived: at % 2 ? "true" : "any" }, at % 2 ? `c.archived AND ${where}` : where],
  ]);

test("every filter and sort gives the page and the total that sorting all that match would give", async ({
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

test("one or two letters are searched at the beginning of words, three or more anywhere, of titles and counterparties", async ({
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

test("in a large workspace, lists and searches read an index, however they filter and sort", async ({
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
