/** Chooses the quote of a clause: short enough to read at a glance, with the matching words. */
import { mapInSlices } from "#lib/core/batches/slices.ts";
import { type WordPlace, wordsIn } from "./fold.ts";

/** The start and end of a matching word; `end` is exclusive. */
export type Mark = [start: number, end: number];

export interface Quote {
  quote: string;
  /** The offset of the quote in the clause. */
  start: number;
  marks: Mark[];
}

const longest = 600;
/** The most characters before the first match in a quote that begins within the clause. */
const leadIn = 80;

const standsAt = (words: WordPlace[], at: number, phrase: string[]) =>
  phrase.every((said, n) => words[at + n]?.word === said);

/** Finding the words of this many letters takes up to 30 ms where each letter is a word. */
export const letterSlices = { weightOf: ({ text }: { text: string }) => text.length, most: 20_000 };

/** Returns those whose text contains all the phrases, word for word. */
export async function containingAll<Row extends { text: string }>(
  rows: Row[],
  phrases: string[][],
): Promise<Row[]> {
  const says = await mapInSlices(rows, letterSlices, ({ text }) => containsAll(text, phrases));
  return rows.filter((_, at) => says[at]);
}

function containsAll(text: string, phrases: string[][]): boolean {
  const words = wordsIn(text);
  return phrases.every((phrase) => words.some((_, at) => standsAt(words, at, phrase)));
}

/** Returns the positions of matching words, and of all words of matching phrases. */
export function marksIn(text: string, matches: (word: string) => boolean, phrases: string[][]): Mark[] {
  const words = wordsIn(text);
  const marked = new Set<number>();
  for (const [at, { word }] of words.entries()) {
    if (matches(word)) marked.add(at);
    for (const phrase of phrases) {
      if (!standsAt(words, at, phrase)) continue;
      for (const n of phrase.keys()) marked.add(at + n);
    }
  }
  return [...marked].sort((a, b) => a - b).map((at) => [words[at]!.start, words[at]!.end]);
}

/** Returns the whole clause, or an exact excerpt with most of the matches. */
export function quoteOf(text: string, marks: Mark[]): Quote {
  if (text.length <= longest) return { quote: text, start: 0, marks };
  const start = startOf(text, bestStart(marks));
  const end = endOf(text, start);
  const inside = marks.filter(([from, to]) => from >= start && to <= end);
  return {
    quote: text.slice(start, end),
    start,
    marks: inside.map(([from, to]) => [from - start, to - start]),
  };
}

/** Returns the start of the match that has the most matches within a quote's length after it. */
function bestStart(marks: Mark[]): number {
  let best = { start: 0, count: 0 };
  let until = 0;
  for (const [at, [start]] of marks.entries()) {
    while (until < marks.length && marks[until]![1] <= start + longest - leadIn) until++;
    if (until - at > best.count) best = { start, count: until - at };
  }
  return best.start;
}

/** Returns the beginning of the sentence if it is near, else that of a word. */
function startOf(text: string, match: number): number {
  if (match <= leadIn) return 0;
  const from = match - leadIn;
  const before = text.slice(from, match);
  const sentence = [...before.matchAll(/[.;:]\s+/g)].at(-1);
  if (sentence) return from + sentence.index + sentence[0].length;
  const word = before.indexOf(" ");
  return word < 0 ? match : from + word + 1;
}

function endOf(text: string, start: number): number {
  if (text.length - start <= longest) return text.length;
  const space = text.lastIndexOf(" ", start + longest);
  // In an endless word the cut must not split a surrogate pair.
  const end = space > start ? space : start + longest;
  return /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end;
}
