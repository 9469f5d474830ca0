/**
 * Mentions in a comment: the text contains `@` and the name, and the ids of those mentioned are sent with it.
 */

export interface Person {
  id: string;
  name: string;
}

export interface Mentioned {
  text: string;
  /** The ids of the mentioned users. */
  mentions: string[];
}

/**
 * Returns the name being typed: the position of its `@`, and the text from there to the caret; null if none
 * is.
 */
export function mentionAt(text: string, caret: number): { start: number; name: string } | null {
  const [match, before = "", name = ""] =
    /(^|[\s(])@([\p{L}\p{M}\p{N}.'’-]*(?: [\p{L}\p{M}\p{N}.'’-]+)?)$/u.exec(text.slice(0, caret)) ?? [];
  return match === undefined ? null : { start: caret - match.length + before.length, name };
}

/** Returns the text with the completed name, and the new position of the caret. */
export function withMention(text: string, { start, name }: { start: number; name: string }, person: Person) {
  const mention = `@${person.name} `;
  const rest = text.slice(start + 1 + name.length).replace(/^ /, "");
  return { text: text.slice(0, start) + mention + rest, caret: start + mention.length };
}

/** Returns the ids of the chosen people whose names are still in the text. */
export function mentionedIn(text: string, people: readonly Person[]): string[] {
  return [...new Set(people.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id))];
}

/** Splits a text into mentions and the text between them. */
export function splitMentions(
  text: string,
  people: readonly Person[],
): { text: string; isMention: boolean }[] {
  const names = people.map(({ name }) => `@${name}`).sort((a, b) => b.length - a.length);
  const found: { text: string; isMention: boolean }[] = [];
  let plain = "";
  const flush = () => {
    if (plain) found.push({ text: plain, isMention: false });
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const name = names.find((one) => text.startsWith(one, at));
    if (name) {
      flush();
      found.push({ text: name, isMention: true });
      at += name.length;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  flush();
  return found;
}
