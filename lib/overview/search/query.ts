/** Parses a search query: the stems of its words, and the phrases in quotation marks. */
import { select } from "#lib/core/change.ts";
import { fold, wordsIn } from "./fold.ts";
import { functionWordsAmong, pairsIn } from "./function-pairs.ts";

export interface SearchQuery {
  /** Stems in all languages of the workspace's documents, in the form in which the index stores them. */
  stems: ReadonlySet<string>;
  /** A clause must contain all of these. */
  phrases: Phrase[];
}

export interface Phrase {
  /** Folded and in lower case. */
  words: string[];
  /** A tsquery that finds the phrase by its stems; "" if its words have none. */
  tsquery: string;
  /** The pairs of function words in the phrase, if it has no stems. */
  pairs: string[];
}

const quoted = /["“”„«»]([^"“”„«»]*)["“”„«»]/gu;
const maxPhrases = 8;
/** As many as a long question has. Each one costs a lookup in the index. */
const maxStems = 48;

/** Returns the texts in quotation marks of any kind. */
export function phrasesOf(q: string): string[] {
  const phrases = [...q.matchAll(quoted)].map(([, text]) => text!.trim());
  return phrases.filter((text) => wordsIn(text).length > 0).slice(0, maxPhrases);
}

/** Parses a question by the rules of each language that it may be in. */
export async function readQuery(q: string, languages: string[]): Promise<SearchQuery> {
  const stems = await stemsOf(q, languages);
  const words = wordsIn(q);
  // A query of only function words, such as: as is. It can only be meant literally.
  const texts = stems.size === 0 && words.length > 1 ? [q] : phrasesOf(q);
  return { stems, phrases: await Promise.all(texts.map((text) => phraseOf(text, languages))) };
}

async function stemsOf(q: string, languages: string[]): Promise<Set<string>> {
  const rows = await select<{ lexeme: string }>(
    `SELECT lexeme FROM unnest($2::regconfig[]) language, unnest(to_tsvector(language, $1::text))
     GROUP BY lexeme ORDER BY min(positions[1]), lexeme LIMIT ${maxStems}`,
    [fold(q), languages],
  );
  return new Set(rows.map(({ lexeme }) => lexeme));
}

async function phraseOf(text: string, languages: string[]): Promise<Phrase> {
  const [row] = await select<{ tsquery: string | null }>(
    `SELECT string_agg(DISTINCT '(' || query::text || ')', ' | ') AS tsquery
     FROM (SELECT phraseto_tsquery(language, $1::text) AS query FROM unnest($2::regconfig[]) language) queries
     WHERE numnode(query) > 0`,
    [fold(text), languages],
  );
  const words = wordsIn(text).map(({ word }) => word);
  const tsquery = row?.tsquery ?? "";
  const pairs = tsquery === "" ? pairsIn(words, await functionWordsAmong(words, languages)) : [];
  return { words, tsquery, pairs };
}

/** Returns a tsquery that matches any of the stems. */
export function anyOf(stems: Iterable<string>): string {
  return [...stems].map((stem) => `'${stem.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`).join(" | ");
}
