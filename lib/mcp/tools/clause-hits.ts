/** The clauses that a search finds inside documents, quoted, with the page that they stand on. */
import { z } from "zod";
import { search } from "#lib/overview/search/operations.ts";
import { clausePath, type ClauseHit as FoundClause } from "#lib/overview/search/schema.ts";
import { linkAt } from "../answers/links.ts";
import { quote } from "../answers/quote.ts";
import { titled } from "../answers/words.ts";
import type { Caller } from "./tool.ts";

export const ClauseHit = z.object({
  contract: z.object({ id: z.string(), title: z.string(), counterpartyName: z.string().nullable() }),
  version: z.object({ id: z.string(), versionNumber: z.int() }),
  page: z.int(),
  heading: z.string(),
  quote: z.string(),
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

/** The clauses that say something like the words, by relevance. None for a caller who may not search. */
export async function findClauses(
  caller: Caller,
  { sort: _, dir: __, ...query }: Record<string, unknown> & { q: string },
): Promise<ClauseHit[]> {
  if (!caller.may(search.clauses)) return [];
  const { hits } = await caller.ask(search.clauses, query);
  return hits.map(clauseFrom);
}
