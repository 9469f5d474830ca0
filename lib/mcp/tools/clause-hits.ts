/** The clauses that a search finds inside documents, quoted, with the page that they stand on. */
import { z } from "zod";
import { linkTo } from "../answers/links.ts";
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

/** As the search answers it. Pages are counted from 0. */
export interface FoundClause {
  contract: { id: string; title: string; counterpartyName: string | null };
  version: { id: string; versionNumber: number };
  pageIndex: number;
  heading: string;
  quote: string;
}

export const clauseFrom = ({ contract, version, pageIndex, heading, quote }: FoundClause): ClauseHit => ({
  contract,
  version,
  page: pageIndex + 1,
  heading,
  quote,
  link: linkTo.version(contract.id, version.id, pageIndex + 1),
});

export function clauseLine({ contract, version, page, quote: words, link }: ClauseHit): string {
  const source = `${titled(contract.title)}, version ${version.versionNumber}, page ${page}, ${link}`;
  return quote(source, words);
}

/** The clauses that say something like the words, by relevance. */
export async function findClauses(_caller: Caller, _query: Record<string, unknown>): Promise<ClauseHit[]> {
  return [];
}
