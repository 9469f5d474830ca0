/**
 * Phrases of function words alone, such as "as is": of such words no stems are kept, so the pairs of neighbours are, in
 * a column of their own.
 */
import { select } from "#lib/core/change.ts";
import { wordsIn } from "./fold.ts";

/** Longer words are none; a document of more different short words than that is none. */
const longestWord = 12;
const mostWords = 20_000;
/** Of one passage. */
const mostPairs = 200;

/** Those of the words that a language's configuration leaves out. */
export async function functionWordsAmong(words: Iterable<string>, languages: string[]): Promise<Set<string>> {
  const short = [...new Set(words)].filter((word) => word.length <= longestWord).slice(0, mostWords);
  const rows = await select<{ word: string }>(
    `SELECT word FROM unnest($1::text[]) word
     WHERE EXISTS (SELECT FROM unnest($2::regconfig[]) language WHERE to_tsvector(language, word) = '')`,
    [short, languages],
  );
  return new Set(rows.map(({ word }) => word));
}

/** Each two neighbours that are function words both, once. */
export function pairsIn(words: string[], functionWords: ReadonlySet<string>): string[] {
  const pairs = new Set<string>();
  for (let at = 1; at < words.length && pairs.size < mostPairs; at++) {
    const [one, two] = [words[at - 1]!, words[at]!];
    if (functionWords.has(one) && functionWords.has(two)) pairs.add(`${one} ${two}`);
  }
  return [...pairs];
}

/** The pairs of many texts of one language. */
export async function functionPairsOf(texts: string[], language: string): Promise<string[][]> {
  const words = texts.map((text) => wordsIn(text).map(({ word }) => word));
  const functionWords = await functionWordsAmong(new Set(words.flat()), [language]);
  return words.map((some) => pairsIn(some, functionWords));
}
