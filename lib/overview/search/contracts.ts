/** Contracts by a few typed letters: what begins so first, then what has them elsewhere, the latest first. */
import { searchedContracts } from "#lib/contracts/filter.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { beginWith, haveLetters } from "#lib/core/search.ts";
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
  const begins = beginWith("w.words", "$2");
  const beginning = [ctx.organizationId, q];
  const first = await latest(begins, beginning, most);
  if (first.length === most) return first;
  const has = `(${haveLetters("w.words", "$2")} OR w.counterparty_id = ANY($3::text[]))`;
  const anywhere = [...beginning, await counterpartiesNamed(ctx, q)];
  const others = await latest(`${has} AND NOT ${begins}`, anywhere, most - first.length);
  return [...first, ...others];
}

/** The latest that a condition finds. */
async function latest(condition: string, values: unknown[], most: number): Promise<FoundContract[]> {
  const where = `w.organization_id = $1 AND ${condition}`;
  const few = await select<{ id: string }>(
    `SELECT w.contract_id AS id FROM contract_words w WHERE ${where} LIMIT ${mostSorted + 1}`,
    values,
    "with its values",
  );
  if (few.length === 0) return [];
  const isSorted = few.length <= mostSorted;
  return select<FoundContract>(
    `SELECT c.id, c.title, c.status, cp.name AS "counterpartyName" FROM ${isSorted ? "contracts c" : searchedContracts}
     LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
     WHERE ${isSorted ? "c.organization_id = $1 AND c.id = ANY($2::text[])" : where}
     ORDER BY c.last_activity_at DESC, c.id LIMIT ${most}`,
    isSorted ? [values[0], few.map(({ id }) => id)] : values,
    "with its values",
  );
}
