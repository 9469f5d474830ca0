/** Finds what someone forgot to fill in: template tags and blanks. */
import { blankPattern } from "#lib/documents/text/blanks.ts";

const tag = /\{\{[^{}]{0,200}\}\}/g;

/** A tag that asks for a field: `{{signature:1}}`, `{{text:2 Purchase order}}`. */
const anchorTag =
  /\{\{\s*(signature|initials|name|email|title|company|date|text|checkbox)\s*:\s*(\d{1,3})\s*([^{}]{0,100})\}\}/i;

/**
 * The tags left over on a page. Tags that ask for fields count only if there are more of them than `covered`, the
 * number of fields placed on tags.
 */
export function leftoverTags(text: string, covered: number): string[] {
  const tags = text.match(tag) ?? [];
  const anchors = tags.filter((found) => anchorTag.test(found));
  const others = tags.filter((found) => !anchorTag.test(found));
  const open = anchors.length > covered ? anchors : [];
  return [...open, ...others];
}

export const blanksIn = (text: string): string[] => text.match(blankPattern) ?? [];

const longest = 12;

/** A leftover as quoted in a warning. */
export function quotedShort(found: string): string {
  const text = found.trim();
  return text.length > longest && !text.startsWith("{{") ? `${text.slice(0, longest)}…` : text;
}
