/**
 * Finds contracts by a few typed letters: first titles that begin with them, then those that contain them elsewhere,
 * the most recently active first.
 */
import { searched } from "#lib/contracts/filter.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { haveLetters } from "#lib/core/search.ts";
import { escapeLike } from "#lib/core/wire.ts";
import { counterpartiesNamed } from "#lib/counterparties/rows.ts";

interface FoundContract {
  id: string;
  title: string;
  status: string;
  counterpartyName: string | null;
}

/**
 * The most matches that are sorted. If there are more, the latest ones are found soon in the order of the activity
 * index.
 */
const maxSorted = 2000;

export async function findContracts(ctx: Context, q: string, most: number): Promise<FoundContract[]> {
  const begins = "c.organization_id = $1 AND NOT c.archived AND lower(c.title) LIKE lower($2::text)";
  const beginning = [ctx.organizationId, `${escapeLike(q)}%`];
  const first = await latest("contracts c", begins, beginning, most);
  if (first.length === most) return first;
  const parties = await counterpartiesNamed(ctx, q);
  const has = haveLetters("w.words", "$3");
  const others = `c.organization_id = $1 AND NOT c.archived AND lower(c.title) NOT LIKE lower($2::text)
    AND (${parties.length > 0 ? `${has} OR w.counterparty_id = ANY($4::text[])` : has})`;
  const anywhere = [...beginning, q, ...(parties.length > 0 ? [parties] : [])];
  return [...first, ...(await latest(searched("contracts c"), others, anywhere, most - first.length))];
}

/** Returns the most recently active contracts that meet a condition. */
async function latest(
  from: string,
  where: string,
  values: unknown[],
  most: number,
): Promise<FoundContract[]> {
  const few = await select<{ id: string }>(
    `SELECT c.id FROM ${from} WHERE ${where} LIMIT ${maxSorted + 1}`,
    values,
    "with its values",
  );
  if (few.length === 0) return [];
  const isSorted = few.length <= maxSorted;
  return select<FoundContract>(
    `SELECT c.id, c.title, c.status, cp.name AS "counterpartyName" FROM ${isSorted ? "contracts c" : from}
     LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
     WHERE ${isSorted ? "c.organization_id = $1 AND c.id = ANY($2::text[])" : where}
     ORDER BY c.last_activity_at DESC, c.id LIMIT ${most}`,
    isSorted ? [values[0], few.map(({ id }) => id)] : values,
    "with its values",
  );
}
