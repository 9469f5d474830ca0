import { createHash } from "node:crypto";
import pg from "pg";

export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL),
});

export class HttpError extends Error {
  status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

export interface Key {
  organizationId: string;
  id: string;
  name: string;
}

export interface By {
  key: Key;
  ip: string | null;
  userAgent: string | null;
}

export async function findKey(secret: string | string[] | undefined): Promise<Key> {
  if (typeof secret !== "string") throw new HttpError(401, "missing_api_key");
  const { rows } = await pool.query({
    name: "key",
    text: `SELECT k.organization_id, k.id, k.name, k.expires_at, k.revoked_at, o.subscription_status
      FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.hash = $1`,
    values: [createHash("sha256").update(secret).digest()],
  });
  const key = rows[0];
  if (!key || key.revoked_at || (key.expires_at && key.expires_at <= new Date())) {
    throw new HttpError(401, "invalid_api_key");
  }
  if (key.subscription_status !== "active") throw new HttpError(402, "subscription_inactive");
  return { organizationId: key.organization_id, id: key.id, name: key.name };
}

export const contractColumns = `c.id, c.title, c.type, c.our_role, c.status, c.counterparty_id, c.owner_id,
  c.effective_date, c.executed_at, c.expires_at::text, c.term_months, c.auto_renews, c.renewal_months,
  c.value_cents, c.value_currency, c.tags, c.archived_at, c.template_id, c.last_activity_at, c.status_changed_at, c.created_at,
  c.updated_at`;

// biome-ignore lint/suspicious/noExplicitAny: rows are what the statements above name
export type Row = Record<string, any>;

/** Maps a row to the API's format. JSON.stringify serializes the dates. */
export function contractFrom(row: Row) {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    ourRole: row.our_role,
    status: row.status,
    counterpartyId: row.counterparty_id,
    counterparty: row.counterparty_id && { id: row.counterparty_id, name: row.counterparty_name },
    ownerId: row.owner_id,
    owner: { id: row.owner_id, name: row.owner_name, email: row.owner_email },
    effectiveDate: row.effective_date,
    executedAt: row.executed_at,
    expiresAt: row.expires_at && `${row.expires_at}T00:00:00.000Z`,
    termMonths: row.term_months,
    autoRenews: row.auto_renews,
    renewalMonths: row.renewal_months,
    valueCents: row.value_cents,
    valueCurrency: row.value_currency,
    tags: row.tags,
    archivedAt: row.archived_at,
    templateId: row.template_id,
    customFields: {},
    lastActivityAt: row.last_activity_at,
    statusChangedAt: row.status_changed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
