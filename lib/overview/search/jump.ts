/** Where a few typed letters may lead: for jumping there. */

import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { containing } from "#lib/core/wire.ts";

const most = 8;

/**
 * Each takes the workspace ($1), a pattern that finds the letters anywhere ($2) and one that finds them at the
 * beginning ($3), which come first.
 */
const queries = {
  contracts: `SELECT c.id, c.title, c.status, cp.name AS "counterpartyName" FROM contracts c
    LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
    WHERE c.organization_id = $1 AND (c.title ILIKE $2 OR c.counterparty_id = ANY(ARRAY(
      SELECT id FROM counterparties WHERE organization_id = $1 AND name ILIKE $2)))
    ORDER BY c.title ILIKE $3 DESC, c.last_activity_at DESC, c.id LIMIT ${most}`,
  counterparties: `SELECT id, name FROM counterparties WHERE organization_id = $1 AND name ILIKE $2
    ORDER BY name ILIKE $3 DESC, lower(name), id LIMIT ${most}`,
  contacts: `SELECT c.id, c.name, c.email, cp.id AS "counterpartyId", cp.name AS "counterpartyName" FROM contacts c
    JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
    WHERE c.organization_id = $1 AND (c.name ILIKE $2 OR c.email ILIKE $2)
    ORDER BY c.name ILIKE $3 DESC, lower(c.name), c.id LIMIT ${most}`,
  templates: `SELECT id, name FROM templates
    WHERE organization_id = $1 AND name ILIKE $2 AND archived_at IS NULL
    ORDER BY name ILIKE $3 DESC, lower(name), id LIMIT ${most}`,
  signatureRequests: `SELECT e.id, c.title AS "contractTitle", e.status FROM envelopes e
    JOIN contracts c ON c.organization_id = e.organization_id AND c.id = e.contract_id
    WHERE e.organization_id = $1 AND c.title ILIKE $2
    ORDER BY c.title ILIKE $3 DESC, e.created_at DESC, e.id LIMIT ${most}`,
};

type Found = Record<keyof typeof queries, object[]>;

/** What is called so, or has it in its name: what begins so first. Nothing typed, nothing found. */
export async function jump(ctx: Context, { q }: { q: string }): Promise<Found> {
  const anywhere = containing(q);
  const values = [ctx.organizationId, anywhere, anywhere.slice(1)];
  const found = await Promise.all(
    Object.entries(queries).map(async ([name, sql]) => [name, q === "" ? [] : await select(sql, values)]),
  );
  return Object.fromEntries(found);
}
