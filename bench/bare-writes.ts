import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { newId } from "#lib/core/ids.ts";
import { type By, contractColumns, contractFrom, HttpError, pool, type Row } from "./bare-store.ts";

type Input = Record<string, unknown>;

const patchable = new Map([
  ["title", "title"],
  ["type", "type"],
  ["ourRole", "our_role"],
  ["ownerId", "owner_id"],
  ["counterpartyId", "counterparty_id"],
  ["valueCents", "value_cents"],
  ["valueCurrency", "value_currency"],
]);

async function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

export async function createContract(by: By, input: Input) {
  if (typeof input.title !== "string" || input.title === "") throw new HttpError(422, "validation_error");
  return transaction(async (client) => {
    const { rows } = await client.query({
      name: "create",
      text: `INSERT INTO contracts AS c (organization_id, id, title, type, our_role, owner_id, counterparty_id,
          effective_date, term_months, value_cents, value_currency, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now()) RETURNING ${contractColumns}`,
      values: [
        ...[by.key.organizationId, newId("contract"), input.title, input.type, input.ourRole, input.ownerId],
        ...[
          input.counterpartyId,
          input.effectiveDate,
          input.termMonths,
          input.valueCents,
          input.valueCurrency,
        ],
      ],
    });
    const contract = contractFrom({ ...rows[0], ...(await namesOf(client, by, rows[0])) });
    // Last, because it locks the end of the workspace's audit chain until the commit.
    await audit(client, by, "CONTRACT_CREATED", rows[0], null);
    return contract;
  });
}

export async function patchContract(by: By, id: string, input: Input) {
  return transaction(async (client) => {
    const found = await client.query({
      name: "lock",
      text: `SELECT ${contractColumns} FROM contracts c WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
      values: [by.key.organizationId, id],
    });
    const before: Row | undefined = found.rows[0];
    if (!before) throw new HttpError(404, "not_found");
    const changed = Object.keys(input).filter((field) => patchable.has(field));
    const sets = changed.map((field, index) => `${patchable.get(field)} = $${index + 3}`);
    const { rows } = await client.query({
      name: `patch ${changed.join()}`,
      text: `UPDATE contracts AS c SET ${sets.join(", ")}, revision = revision + 1, updated_at = now(),
          last_activity_at = now() WHERE organization_id = $1 AND id = $2 RETURNING ${contractColumns}`,
      values: [by.key.organizationId, id, ...changed.map((field) => input[field])],
    });
    const contract = contractFrom({ ...rows[0], ...(await namesOf(client, by, rows[0])) });
    const changes = changed.map((field) => [
      field,
      { from: before[patchable.get(field)!], to: rows[0][patchable.get(field)!] },
    ]);
    await audit(client, by, "CONTRACT_UPDATED", rows[0], Object.fromEntries(changes));
    return contract;
  });
}

async function namesOf(client: PoolClient, by: By, row: Row): Promise<Row> {
  const { rows } = await client.query({
    name: "names",
    text: `SELECT u.name AS owner_name, u.email AS owner_email, cp.name AS counterparty_name
      FROM members m JOIN users u ON u.id = m.user_id
      LEFT JOIN counterparties cp ON cp.organization_id = m.organization_id AND cp.id = $3
      WHERE m.organization_id = $1 AND m.user_id = $2`,
    values: [by.key.organizationId, row.owner_id, row.counterparty_id],
  });
  if (!rows[0]) throw new HttpError(422, "validation_error");
  return rows[0];
}

async function audit(client: PoolClient, by: By, action: string, contract: Row, changes: object | null) {
  const { id, title } = contract;
  const payload = {
    target: { type: "contract", id },
    changes,
    reason: null,
    ip: by.ip,
    userAgent: by.userAgent,
    requestId: randomUUID(),
    actor: null,
  };
  await client.query({
    name: "audit",
    text: `INSERT INTO audit_events (organization_id, id, action, api_key_id, api_key_name, contract_id,
        contract_title, payload) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      ...[by.key.organizationId, newId("auditEvent"), action, by.key.id, by.key.name],
      ...[id, title, JSON.stringify(payload)],
    ],
  });
}
