/**
 * Phrases of only function words, such as "as is". The index has no stems of such words, so it stores pairs of
 * neighbors in a separate column.
 */
import { select } from "#lib/core/change.ts";
import { wordsIn } from "./fold.ts";

/** Longer words are no function words, nor are the short words beyond so many different ones in a document. */
const longestWord = 12;
const maxWords = 20_000;
/** The most pairs of one passage. */
const maxPairs = 200;

/** Returns those words that the text search configuration of a language leaves out. */
export async function functionWordsAmong(words: Iterable<string>, languages: string[]): Promise<Set<string>> {
  const short = [...new Set(words)].filter((word) => word.length <= longestWord).slice(0, maxWords);
  const rows = await select<{ word: string }>(
    `SELECT word FROM unnest($1::text[]) word
     WHERE EXISTS (SELECT FROM unnest($2::regconfig[]) language WHERE to_tsvector(language, word) = '')`,
    [short, languages],
  );
  return new Set(rows.map(({ word }) => word));
}

/** Returns each pair of neighboring function words once. */
export function pairsIn(words: string[], functionWords: ReadonlySet<string>): string[] {
  const pairs = new Set<string>();
  for (let at = 1; at < words.length && pairs.size < maxPairs; at++) {
    const [one, two] = [words[at - 1]!, words[at]!];
    if (functionWords.has(one) && functionWords.has(two)) pairs.add(`${one} ${two}`);
  }
  return [...pairs];
}

/** Returns the pairs of each of several texts in one language. */
export async function functionPairsOf(texts: string[], language: string): Promise<string[][]> {
  const words = texts.map((text) => wordsIn(text).map(({ word }) => word));
  const functionWords = await functionWordsAmong(new Set(words.flat()), [language]);
  return words.map((some) => pairsIn(some, functionWords));
}
