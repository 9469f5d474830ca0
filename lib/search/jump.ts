/** Where a few typed letters may lead: for jumping there. */
import { select } from "#lib/change.ts";
import type { Context } from "#lib/context.ts";
import { containing } from "#lib/contracts/rows.ts";

const most = 8;

/** Contracts by title or counterparty, counterparties by name: what begins so first. Nothing typed, nothing found. */
export async function jump(ctx: Context, { q }: { q: string }) {
  if (q === "") return { contracts: [], counterparties: [] };
  const anywhere = containing(q);
  const values = [ctx.organizationId, anywhere, anywhere.slice(1)];
  const [contracts, counterparties] = await Promise.all([
    select(
      `SELECT c.id, c.title, c.status, cp.name AS "counterpartyName" FROM contracts c
       LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
       WHERE c.organization_id = $1 AND (c.title ILIKE $2 OR c.counterparty_id = ANY(ARRAY(
         SELECT id FROM counterparties WHERE organization_id = $1 AND name ILIKE $2)))
       ORDER BY c.title ILIKE $3 DESC, c.last_activity_at DESC, c.id LIMIT ${most}`,
      values,
    ),
    select(
      `SELECT id, name FROM counterparties WHERE organization_id = $1 AND name ILIKE $2
       ORDER BY name ILIKE $3 DESC, lower(name), id LIMIT ${most}`,
      values,
    ),
  ]);
  return { contracts, counterparties };
}
