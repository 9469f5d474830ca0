/** Contracts to list, and the filters for those lists. */
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { contractTypes, ourRoles } from "#lib/contracts/schema.ts";
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import type { Workspace } from "./fixtures.ts";

/** Creates contracts of every kind: with repeated values, so that ids decide the order, and with empty ones. */
export async function fill(
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

/** Filters, each with the same condition in SQL on contracts c and their counterparties cp. */
const filters = (ownerId: string, counterpartyId: string): [Record<string, unknown>, string][] => [
  [{}, "true"],
  [{ status: ["ACTIVE"] }, "c.status = 'ACTIVE'"],
  [{ status: ["DRAFT", "ACTIVE", "EXPIRED", "DRAFT"] }, "c.status IN ('DRAFT', 'ACTIVE', 'EXPIRED')"],
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

/** Asks for archived contracts as well, alone or with the rest. */
export const archivedFilters = (ownerId: string, counterpartyId: string) =>
  filters(ownerId, counterpartyId).flatMap(([filter, where], at): [Record<string, unknown>, string][] => [
    [filter, `NOT c.archived AND ${where}`],
    // Each filter tries one of the two, because the code that finds and counts is the same.
    [{ ...filter, archived: at % 2 ? "true" : "any" }, at % 2 ? `c.archived AND ${where}` : where],
  ]);
