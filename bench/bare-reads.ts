import { contractColumns, contractFrom, HttpError, pool, type Row } from "./bare-store.ts";

const pageSize = 50;
const joins = `LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
  JOIN users u ON u.id = c.owner_id`;
const named = `${contractColumns}, cp.name AS counterparty_name, u.name AS owner_name, u.email AS owner_email`;

async function list(organizationId: string, page: number) {
  const [rows, count] = await Promise.all([
    pool.query({
      name: "list",
      // Select the ids first, from the index alone: deep pages are ten times faster than with a join before that.
      text: `SELECT ${named} FROM (
          SELECT id FROM contracts WHERE organization_id = $1 AND NOT archived
          ORDER BY last_activity_at DESC, id DESC LIMIT ${pageSize} OFFSET $2) page
        JOIN contracts c ON c.organization_id = $1 AND c.id = page.id ${joins}
        ORDER BY c.last_activity_at DESC, c.id DESC`,
      values: [organizationId, (page - 1) * pageSize],
    }),
    pool.query({
      name: "count",
      text: "SELECT count(*)::int AS total FROM contracts WHERE organization_id = $1 AND NOT archived",
      values: [organizationId],
    }),
  ]);
  const total: number = count.rows[0].total;
  return { data: rows.rows.map(contractFrom), page, pageSize, total, pageCount: Math.ceil(total / pageSize) };
}

async function one(organizationId: string, id: string) {
  const { rows } = await pool.query({
    name: "one",
    text: `SELECT ${named} FROM contracts c ${joins} WHERE c.organization_id = $1 AND c.id = $2`,
    values: [organizationId, id],
  });
  if (!rows[0]) throw new HttpError(404, "not_found");
  return contractFrom(rows[0]);
}

async function feed(organizationId: string, limit: number) {
  const { rows } = await pool.query({
    name: "feed",
    text: `SELECT seq, id, action, created_at, actor_id, actor_name, actor_email, api_key_id, api_key_name,
        contract_id, contract_title, payload
      FROM audit_events WHERE organization_id = $1 ORDER BY seq DESC LIMIT $2`,
    values: [organizationId, limit + 1],
  });
  const shown = rows.slice(0, limit);
  return { data: shown.map(eventFrom), nextCursor: rows.length > limit ? shown.at(-1)!.seq : null };
}

function eventFrom(row: Row) {
  return {
    id: row.id,
    action: row.action,
    createdAt: row.created_at,
    actor: row.actor_id && { id: row.actor_id, name: row.actor_name, email: row.actor_email },
    apiKey: row.api_key_id && { id: row.api_key_id, name: row.api_key_name },
    assistant: row.payload.assistant ?? null,
    contract: row.contract_id && { id: row.contract_id, title: row.contract_title },
    payload: row.payload,
  };
}

export const bareReads = { list, one, feed };
