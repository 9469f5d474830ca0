import type { ClauseHit } from "./schema.ts";

/** More would mark a page from top to bottom. */
const mostMarks = 12;

/** Where the web app shows what was found: the viewer, at its page, with the words that were found marked. */
export function clausePath({ contract, version, pageIndex, quote, marks }: ClauseHit): string {
  const words = new Set(marks.map(([start, end]) => quote.slice(start, end).toLowerCase()));
  const query = new URLSearchParams({ page: String(pageIndex + 1) });
  for (const word of [...words].slice(0, mostMarks)) query.append("mark", word);
  return `/contracts/${contract.id}/versions/${version.id}?${query}`;
}
