/** The quote shown for a clause: as much as can be read at a glance, with the matched words. */
import { type WordPlace, wordsIn } from "./fold.ts";

/** From its first letter to before its last, counted from the beginning of the quote. */
export type Mark = [start: number, end: number];

export interface Quote {
  quote: string;
  /** Where the quote begins in the clause. */
  start: number;
  marks: Mark[];
}

const longest = 600;
/** What stands before the first match in a quote that begins within the clause. */
const leadIn = 80;

const standsAt = (words: WordPlace[], at: number, phrase: string[]) =>
  phrase.every((said, n) => words[at + n]?.word === said);

/** Whether all the phrases stand in a text, word for word. */
export function saysAll(text: string, phrases: string[][]): boolean {
  const words = wordsIn(text);
  return phrases.every((phrase) => words.some((_, at) => standsAt(words, at, phrase)));
}

/** The words that match, and phrases whole, as places in a text. */
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

/** The clause itself, or the part of it where most of the matches are; letter by letter as it is in the clause. */
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

/** The first match after which most follow within the length of a quote. */
function bestStart(marks: Mark[]): number {
  let best = { start: 0, count: 0 };
  let until = 0;
  for (const [at, [start]] of marks.entries()) {
    while (until < marks.length && marks[until]![1] <= start + longest - leadIn) until++;
    if (until - at > best.count) best = { start, count: until - at };
  }
  return best.start;
}

/** Where the sentence begins, if that is near; else a word. */
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
  // Within a word without end: not between the halves of a letter.
  const end = space > start ? space : start + longest;
  return /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end;
}
