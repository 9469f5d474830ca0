/** Contracts by a few typed letters: what begins so first, then what has them elsewhere, the latest first. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { matches, searched } from "#lib/core/search.ts";
import { escapeLike } from "#lib/core/wire.ts";
import { counterpartiesNamed } from "#lib/counterparties/rows.ts";

interface FoundContract {
  id: string;
  title: string;
  status: string;
  counterpartyName: string | null;
}

/** How many matches are sorted. Of more, the latest few stand near the end of the order by activity. */
const mostSorted = 2000;

export async function findContracts(ctx: Context, q: string, most: number): Promise<FoundContract[]> {
  const begins = "lower(c.title) LIKE lower($2::text)";
  const beginning = [ctx.organizationId, `${escapeLike(q)}%`];
  const first = await latest(begins, beginning, most);
  if (first.length === most) return first;
  const has = `(${matches("c.title", q, "$3")} OR c.counterparty_id = ANY($4::text[]))`;
  const anywhere = [...beginning, searched(q), await counterpartiesNamed(ctx, q)];
  const others = await latest(`${has} AND NOT ${begins}`, anywhere, most - first.length);
  return [...first, ...others];
}

/** The latest that a condition finds. */
async function latest(condition: string, values: unknown[], most: number): Promise<FoundContract[]> {
  const where = `c.organization_id = $1 AND ${condition}`;
  const few = await select<{ id: string }>(
    `SELECT c.id FROM contracts c WHERE ${where} LIMIT ${mostSorted + 1}`,
    values,
    "with its values",
  );
  if (few.length === 0) return [];
  const isSorted = few.length <= mostSorted;
  return select<FoundContract>(
    `SELECT c.id, c.title, c.status, cp.name AS "counterpartyName" FROM contracts c
     LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
     WHERE ${isSorted ? "c.organization_id = $1 AND c.id = ANY($2::text[])" : where}
     ORDER BY c.last_activity_at DESC, c.id LIMIT ${most}`,
    isSorted ? [values[0], few.map(({ id }) => id)] : values,
    "with its values",
  );
}
