/** How contracts are read: one SQL statement each, whose columns become the API's Contract. */
import { select } from "#lib/change.ts";
import type { Context } from "#lib/context.ts";
import { addDays, type Day, dayOf } from "#lib/dates.ts";
import { notFound } from "#lib/errors.ts";
import type { Anchors } from "#lib/obligations/resolve.ts";
import { paged } from "#lib/wire.ts";
import { type Contract, type ContractQuery, contractPageSize } from "./schema.ts";

/** A contract, and how often it was changed: an update names the revision that it read. */
export type ContractRow = Contract & { revision: number };

type Columns = Omit<ContractRow, "counterparty" | "owner"> & {
  counterpartyName: string;
  ownerName: string;
  ownerEmail: string;
};

const columns = `c.id, c.title, c.type, c.our_role AS "ourRole", c.status,
  c.counterparty_id AS "counterpartyId", cp.name AS "counterpartyName",
  c.owner_id AS "ownerId", u.name AS "ownerName", u.email AS "ownerEmail",
  c.effective_date AS "effectiveDate", c.executed_at AS "executedAt", c.expires_at AS "expiresAt",
  c.term_months AS "termMonths", c.auto_renews AS "autoRenews", c.renewal_months AS "renewalMonths",
  c.value_cents AS "valueCents", c.value_currency AS "valueCurrency", c.template_id AS "templateId",
  c.last_activity_at AS "lastActivityAt", c.status_changed_at AS "statusChangedAt",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.revision`;

const joins = `LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
  JOIN users u ON u.id = c.owner_id`;

/** Puts the joined names where the API has them. */
function contractFrom({ counterpartyName, ownerName, ownerEmail, ...row }: Columns): ContractRow {
  return {
    ...row,
    counterparty: row.counterpartyId ? { id: row.counterpartyId, name: counterpartyName } : null,
    owner: { id: row.ownerId, name: ownerName, email: ownerEmail },
  };
}

/** The days and the term that a contract lends to its obligations. */
export function anchorsOf(contract: ContractRow): Anchors {
  const day = (timestamp: string | null) => timestamp && dayOf(new Date(timestamp));
  return {
    effectiveDate: day(contract.effectiveDate) || null,
    executedAt: day(contract.executedAt) || null,
    termMonths: contract.termMonths,
    autoRenews: contract.autoRenews,
  };
}

/** Reads one contract. */
export async function findContract(ctx: Context, id: string): Promise<ContractRow> {
  const [row] = await select<Columns>(
    `SELECT ${columns} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.id = $2`,
    [ctx.organizationId, id],
  );
  if (!row) throw notFound("contract");
  return contractFrom(row);
}

/** All contracts of a counterparty, the most recently active first. */
export async function contractsWith(ctx: Context, counterpartyId: string): Promise<ContractRow[]> {
  const rows = await select<Columns>(
    `SELECT ${columns} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.counterparty_id = $2
     ORDER BY c.last_activity_at DESC, c.id DESC`,
    [ctx.organizationId, counterpartyId],
  );
  return rows.map(contractFrom);
}

/** What each sort compares. Of columns that may be empty, empty ones come last in both directions. */
const sortColumns: Record<ContractQuery["sort"], { by: string; mayBeEmpty?: true }> = {
  lastActivityAt: { by: "c.last_activity_at" },
  createdAt: { by: "c.created_at" },
  updatedAt: { by: "c.updated_at" },
  title: { by: "lower(c.title)" },
  effectiveDate: { by: "c.effective_date", mayBeEmpty: true },
  executedAt: { by: "c.executed_at", mayBeEmpty: true },
  expiresAt: { by: "c.expires_at", mayBeEmpty: true },
  statusChangedAt: { by: "c.status_changed_at" },
  valueCents: { by: "c.value_cents", mayBeEmpty: true },
};

/** A page of contracts, with the exact number of all that match. */
export async function listContracts(ctx: Context, input: ContractQuery) {
  const { where, values, isWhole } = filterOf(ctx, input);
  const { by, mayBeEmpty } = sortColumns[input.sort];
  const order = `${input.dir}${mayBeEmpty ? " NULLS LAST" : ""}`;
  const total = isWhole
    ? `(SELECT contract_count FROM workspace_heads WHERE organization_id = $1)`
    : `(SELECT count(*)::int FROM contracts c WHERE ${where})`;
  const offset = `$${values.length + 1}::int`;
  // The ids of a deep page come from an index alone; only the fifty rows shown are then read.
  const rows = await select<Columns & { total: number }>(
    `WITH page AS MATERIALIZED (
       SELECT c.id, ${by} AS key FROM contracts c WHERE ${where}
       ORDER BY ${by} ${order}, c.id ${input.dir} LIMIT ${contractPageSize} OFFSET ${offset})
     SELECT ${columns}, ${total} AS total
     FROM page JOIN contracts c ON c.organization_id = $1 AND c.id = page.id ${joins}
     ORDER BY page.key ${order}, page.id ${input.dir}`,
    [...values, (input.page - 1) * contractPageSize],
  );
  const all = rows[0]?.total ?? (await count(total, values));
  const data = rows.map(({ total: _, ...row }) => contractFrom(row));
  return paged(data, { page: input.page, pageSize: contractPageSize, total: all });
}

async function count(total: string, values: unknown[]): Promise<number> {
  const [row] = await select<{ total: number }>(`SELECT ${total} AS total`, values);
  return row?.total ?? 0;
}

/** The filters as SQL. `isWhole`: there are none, so the workspace's own count is the total. */
function filterOf(ctx: Context, input: ContractQuery) {
  const values: unknown[] = [ctx.organizationId];
  const conditions = ["c.organization_id = $1"];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const from = (date?: Date): Day | undefined => date && dayOf(date);
  const dayAfter = (date?: Date): Day | undefined => date && addDays(dayOf(date), 1);

  add((p) => `c.status = ANY(${p}::text[])`, input.status);
  add((p) => `c.type = ANY(${p}::text[])`, input.type);
  add((p) => `c.our_role = ANY(${p}::text[])`, input.ourRole);
  add((p) => `c.owner_id = ${p}`, input.ownerId);
  add((p) => `c.counterparty_id = ${p}`, input.counterpartyId);
  add((p) => `c.effective_date >= ${p}::timestamptz`, from(input.effectiveFrom));
  add((p) => `c.effective_date < ${p}::timestamptz`, dayAfter(input.effectiveTo));
  add((p) => `c.expires_at >= ${p}::date`, from(input.expiresFrom));
  add((p) => `c.expires_at < ${p}::date`, dayAfter(input.expiresTo));
  add(
    (p) => `(c.title ILIKE ${p} OR c.counterparty_id = ANY(ARRAY(
      SELECT id FROM counterparties WHERE organization_id = $1 AND name ILIKE ${p})))`,
    input.q && containing(input.q),
  );
  return { where: conditions.join(" AND "), values, isWhole: conditions.length === 1 };
}

/** An ILIKE pattern for text that contains this; what the user typed has no wildcards. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
