/** Totals as sums of the counters that triggers maintain (contracts_note). */
import { haveLetters } from "#lib/core/search.ts";

/** The filters each table counts by. The first table that covers all of a list's filters has its total. */
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
 * The total for a set of filters as an expression; undefined if no table counts by all of them. `conditions` apply to
 * a counter's columns, null for a filter without one; `archived` selects the part to count.
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

/** All contracts that are not archived. */
export const workspaceTotal = "(SELECT contract_count FROM workspace_heads WHERE organization_id = $1)";

/**
 * The total of a search with no other filter, in parameter `q`: contracts whose title matches, and all contracts of
 * `theirs`, the counterparties whose name matches.
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
