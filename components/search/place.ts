/** Where a found clause stands: the viewer, at its page, with the words that were found marked. */
import type { OutputOf } from "#lib/doors/client.ts";

export type ClauseHit = OutputOf<"search.clauses">["hits"][number];

/** More would mark a page from top to bottom. */
const mostWords = 12;

export function placeOf({ contract, version, pageIndex, quote, marks }: ClauseHit): string {
  const words = new Set(marks.map(([start, end]) => quote.slice(start, end).toLowerCase()));
  const query = new URLSearchParams({ page: String(pageIndex + 1) });
  for (const word of [...words].slice(0, mostWords)) query.append("mark", word);
  return `/contracts/${contract.id}/versions/${version.id}?${query}`;
}
