/** What somebody forgot to fill in: tags of a template, and blanks. */

const tag = /\{\{[^{}]{0,200}\}\}/g;
const blank = /_{4,}|\.{8,}|\[\s*[●•_]+\s*\]|\[(?:insert|tbd|date|name|amount)[^\]]{0,60}\]/gi;

/** A tag that asks for a field: `{{signature:1}}`, `{{text:2 Purchase order}}`. */
export const anchorTag =
  /\{\{\s*(signature|initials|name|email|title|company|date|text|checkbox)\s*:\s*(\d{1,3})\s*([^{}]{0,100})\}\}/i;

/** The leftovers of a page, each once; `covered` of its anchor tags have fields on them. */
export function leftovers(text: string, covered: number): string[] {
  const tags = text.match(tag) ?? [];
  const anchors = tags.filter((found) => anchorTag.test(found));
  const others = tags.filter((found) => !anchorTag.test(found));
  const open = anchors.length > covered ? anchors : [];
  const blanks = (text.match(blank) ?? []).map((found) =>
    found.length > 12 ? `${found.slice(0, 12)}…` : found,
  );
  return [...new Set([...open, ...others, ...blanks])].map((found) => found.trim());
}
