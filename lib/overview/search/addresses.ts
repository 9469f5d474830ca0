import type { ClauseHit } from "./schema.ts";

/** With more, a whole page would be marked. */
const maxMarks = 12;

/** Returns the path of the viewer at the hit's page, with the matching words marked. */
export function clausePath({ contract, version, pageIndex, quote, marks }: ClauseHit): string {
  const words = new Set(marks.map(([start, end]) => quote.slice(start, end).toLowerCase()));
  const query = new URLSearchParams({ page: String(pageIndex + 1) });
  for (const word of [...words].slice(0, maxMarks)) query.append("mark", word);
  return `/contracts/${contract.id}/versions/${version.id}?${query}`;
}
