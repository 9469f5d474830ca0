/** Totals as sums of the counters that triggers keep (contracts_note). */
import { haveLetters } from "#lib/core/search.ts";

/** What each table counts by, as the filters are called. The first that knows all of a list's filters has its total. */
const counters: readonly { table: string; by: readonly string[]; also?: string }[] = [
  { table: "contract_counts_now", by: ["status", "type", "ourRole", "autoRenews", "valueCurrency"] },
  { table: "counterparty_contract_counts_now", by: ["counterpartyId"] },
  { table: "contract_tag_counts_now", by: ["tag"] },
  { table: "contract_owner_counts_now", by: ["ownerId", "status"] },
  {
    table: "contract_day_counts_now",
    by: ["effectiveFrom", "effectiveTo", "status", "autoRenews"],
    also: "field = 'effective'",
  },
  {
    table: "contract_day_counts_now",
    by: ["expiresFrom", "expiresTo", "status", "autoRenews"],
    also: "field = 'expires'",
  },
];

/**
 * The total of filters as an expression: undefined where no table counts by all of them. `conditions` are theirs on a
 * counter's columns, null where it has none for what is asked; `archived` says which part is counted.
 */
export function countedTotal(
  archived: string[],
  conditions: Partial<Record<string, string | null>>,
): string | undefined {
  const names = Object.keys(conditions);
  const all = Object.values(conditions).filter((condition) => typeof condition === "string");
  if (all.length < names.length) return undefined;
  const counter = counters.find(({ by }) => names.every((name) => by.includes(name)));
  return counter && sumOf(counter.table, [...archived, ...(counter.also ? [counter.also] : []), ...all]);
}

/** All that are not archived. */
export const wholeTotal = "(SELECT contract_count FROM workspace_heads WHERE organization_id = $1)";

/**
 * Of a search by letters alone, which are in the parameter `q`: whose title has them, and all contracts of the counterparties
 * whose name has them, `theirs`.
 */
export function searchedTotal(archived: string[], q: string, theirs: string | undefined): string {
  const words = ["organization_id = $1", ...archived, haveLetters("words", q)];
  const titled = `FROM contract_words WHERE ${words.join(" AND ")}`;
  if (!theirs) return `(SELECT count(*)::int ${titled})`;
  const isTheirs = `counterparty_id IS NOT NULL AND counterparty_id = ANY(${theirs})`;
  return `((SELECT (count(*) FILTER (WHERE (${isTheirs}) IS NOT TRUE))::int ${titled})
    + ${sumOf("counterparty_contract_counts_now", [...archived, `counterparty_id = ANY(${theirs})`])})`;
}

const sumOf = (table: string, conditions: string[]) =>
  `(SELECT COALESCE(sum(count), 0)::int FROM ${table} WHERE ${["organization_id = $1", ...conditions].join(" AND ")})`;
