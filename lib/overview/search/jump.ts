/** Finds things by a few letters of their name, for the command palette. */

import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { haveLetters } from "#lib/core/search.ts";
import { containsPattern, escapeLike } from "#lib/core/wire.ts";
import { findContracts } from "./contracts.ts";

const most = 8;

/**
 * The parameters of each query: the workspace ($1), the letters or a pattern that finds them anywhere ($2), and a
 * pattern for names that begin with them ($3), which come first.
 */
const queries = (q: string) => ({
  counterparties: {
    sql: `SELECT id, name FROM counterparties WHERE organization_id = $1 AND ${haveLetters("words", "$2")}
      ORDER BY name ILIKE $3 DESC, lower(name), id LIMIT ${most}`,
    second: q,
  },
  contacts: {
    sql: `SELECT c.id, c.name, c.email, cp.id AS "counterpartyId", cp.name AS "counterpartyName" FROM contacts c
      JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
      WHERE c.organization_id = $1 AND (c.name ILIKE $2 OR c.email ILIKE $2)
      ORDER BY c.name ILIKE $3 DESC, lower(c.name), c.id LIMIT ${most}`,
    second: containsPattern(q),
  },
  templates: {
    sql: `SELECT id, name FROM templates
      WHERE organization_id = $1 AND name ILIKE $2 AND archived_at IS NULL
      ORDER BY name ILIKE $3 DESC, lower(name), id LIMIT ${most}`,
    second: containsPattern(q),
  },
  signatureRequests: {
    sql: `SELECT e.id, c.title AS "contractTitle", e.status FROM envelopes e
      JOIN contracts c ON c.organization_id = e.organization_id AND c.id = e.contract_id AND NOT c.archived
      JOIN contract_words w ON w.organization_id = e.organization_id AND w.contract_id = e.contract_id
      WHERE e.organization_id = $1 AND ${haveLetters("w.words", "$2")}
      ORDER BY c.title ILIKE $3 DESC, e.created_at DESC, e.id LIMIT ${most}`,
    second: q,
  },
});

type Found = Record<"contracts" | keyof ReturnType<typeof queries>, object[]>;

/**
 * Finds everything whose name contains the letters, and first the names that begin with them. Nothing for an empty
 * query.
 */
export async function jump(ctx: Context, { q }: { q: string }): Promise<Found> {
  const asked = Object.entries(queries(q));
  if (q === "") return Object.fromEntries([["contracts", []], ...asked.map(([name]) => [name, []])]);
  const begins = `${escapeLike(q)}%`;
  const found = await Promise.all([
    findContracts(ctx, q, most).then((contracts) => ["contracts", contracts] as const),
    ...asked.map(async ([name, { sql, second }]) => {
      const values = [ctx.organizationId, second, begins];
      return [name, await select(sql, values, "with its values")] as const;
    }),
  ]);
  return Object.fromEntries(found) as Found;
}
