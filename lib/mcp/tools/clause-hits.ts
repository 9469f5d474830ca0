/** Clauses that a search finds inside documents, quoted and with their page. */
import { z } from "zod";
import { clausePath } from "#lib/overview/search/addresses.ts";
import { search } from "#lib/overview/search/operations.ts";
import { ClauseHit as FoundClause } from "#lib/overview/search/schema.ts";
import { Budget, takeFitting } from "../answers/budget.ts";
import { linkAt } from "../answers/links.ts";
import { quote } from "../answers/quote.ts";
import { counted, titled } from "../answers/words.ts";
import { pageWith } from "./paging.ts";
import type { Caller } from "./tool.ts";

export const ClauseHit = z.object({
  contract: z.object({ id: z.string(), title: z.string(), counterpartyName: z.string().nullable() }),
  version: z.object({ id: z.string(), versionNumber: z.int() }),
  page: z.int(),
  heading: z.string(),
  quote: z.string(),
  marks: FoundClause.shape.marks,
  score: FoundClause.shape.score,
  link: z.string(),
});
export type ClauseHit = z.output<typeof ClauseHit>;

const clauseFrom = (hit: FoundClause): ClauseHit => ({
  ...hit,
  page: hit.pageIndex + 1,
  link: linkAt(clausePath(hit)),
});

export function clauseLine({ contract, version, page, quote: words, link }: ClauseHit): string {
  const source = `${titled(contract.title)}, version ${version.versionNumber}, page ${page}, ${link}`;
  return quote(source, words);
}

/** The most tokens for clauses, which leaves room for contracts in the same result. */
const clauseTokens = 4_500;

export interface FoundClauses {
  items: ClauseHit[];
  lines: string[];
  /** The number of clauses before the next one to list; null if there are no more. */
  next: number | null;
  /** Tells the reader if some versions are not indexed yet. */
  note: string;
}

/** Finds clauses that match the words, by relevance, after the first `skipped`. */
export async function findClauses(
  caller: Caller,
  { sort: _, dir: __, ...query }: Record<string, unknown> & { q: string },
  skipped: number,
): Promise<FoundClauses> {
  const { page, skip } = pageWith(skipped, pageSize);
  const { hits, hasMore, indexing } = await caller.ask(search.clauses, { ...query, limit: pageSize, page });
  const found = hits.slice(skip).map(clauseFrom);
  const { items, lines, count } = takeFitting(new Budget(clauseTokens), found, clauseLine, ClauseHit.parse);
  const isAll = skip + count >= hits.length && !hasMore;
  const lacking = indexing.total - indexing.indexed;
  return {
    items,
    lines,
    next: isAll || count === 0 ? null : skipped + count,
    note:
      lacking > 0
        ? `${counted(lacking, "version is", "versions are")} not indexed yet: search again in a while.`
        : "",
  };
}

const pageSize = 10;
