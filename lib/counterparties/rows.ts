/** Reads counterparties and their contacts, with SQL whose columns are the API's fields. */

import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { haveLetters } from "#lib/core/search.ts";
import { sortedByName } from "#lib/core/wire.ts";
import type { Contact, Counterparty } from "./schema.ts";

/** The columns of `counterparties cp`. */
export const columns = `cp.id, cp.name, cp.domain, cp.notes, cp.relationship_types AS "relationshipTypes",
  cp.created_at AS "createdAt", cp.updated_at AS "updatedAt"`;

const counts = "SELECT COALESCE(sum(count), 0)::int FROM counterparty_contract_counts_now";

/** Returns the ids of counterparties whose name matches a search. */
export async function counterpartiesNamed(ctx: Context, q: string): Promise<string[]> {
  const rows = await select<{ id: string }>(
    `SELECT id FROM counterparties WHERE organization_id = $1 AND ${haveLetters("words", "$2")}`,
    [ctx.organizationId, q],
    "with its values",
  );
  return rows.map(({ id }) => id);
}

/** Reads a counterparty without its contacts. */
export async function findCounterparty(ctx: Context, id: string): Promise<Counterparty> {
  return findRow(ctx, id, "");
}

/**
 * Reads a counterparty to change it or its contacts, and locks it until the commit. NO KEY avoids a deadlock: creating
 * a contract for it checks its key while holding the head of the audit chain, which this change will wait for.
 */
export async function lockCounterparty(ctx: Context, id: string): Promise<Counterparty> {
  return findRow(ctx, id, "FOR NO KEY UPDATE OF cp");
}

async function findRow(ctx: Context, id: string, lock: string): Promise<Counterparty> {
  const [row] = await select<Counterparty>(
    `SELECT ${columns}, (${counts} WHERE organization_id = $1 AND counterparty_id = $2) AS "contractCount"
     FROM counterparties cp WHERE cp.organization_id = $1 AND cp.id = $2 ${lock}`,
    [ctx.organizationId, id],
  );
  if (!row) throw notFound("counterparty");
  return row;
}

/** Returns the contacts of a counterparty. */
export async function listContacts(ctx: Context, { id }: { id: string }): Promise<{ data: Contact[] }> {
  const data = await contactsOf(ctx, id);
  if (data.length === 0) await findCounterparty(ctx, id);
  return { data };
}

export async function contactsOf(ctx: Context, counterpartyId: string): Promise<Contact[]> {
  const rows = await select<Contact>(
    `SELECT id, counterparty_id AS "counterpartyId", name, email, is_primary AS "isPrimary",
       created_at AS "createdAt", updated_at AS "updatedAt"
     FROM contacts WHERE organization_id = $1 AND counterparty_id = $2`,
    [ctx.organizationId, counterpartyId],
  );
  return sortedByName(rows);
}
