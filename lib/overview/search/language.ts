/**
 * Detects a document's language by its most common words. PostgreSQL has stemming rules for each of these languages.
 */
import { wordsIn } from "./fold.ts";

/** The most common words of each language, folded, by the name of PostgreSQL's configuration. */
const commonWords: Record<string, string> = {
  english: "the of and to in is that for be by this shall with or any such",
  danish: "og i at det er en til af der pa som med for ikke skal har den de",
  dutch: "de het een van en in is dat op te zijn voor met niet aan door bij",
  finnish: "ja on ei se etta tai joka ovat kuin myos sen mutta sopimus osapuoli taman",
  french: "le la les de des et un une du en est que pour dans par au aux",
  german: "der die und in den von zu das mit sich des auf fur ist im dem nicht",
  hungarian: "a az es hogy nem is egy szerint vagy meg ha felek altal ezen",
  italian: "il di che e la per un in del della si le con non dei delle",
  norwegian: "og i det er til som pa en av for med at ikke skal har den ved",
  portuguese: "de a o que e do da em um para com nao uma os no na as",
  romanian: "si de in la a pe cu este ca din sau nu pentru se prin care",
  russian: "и в не на по с что или от к за для при из о",
  spanish: "de la que el en y a los del se las por un para con una no",
  swedish: "och i att det som en pa ar av for med till den inte ska har",
  turkish: "ve bir bu ile icin da de olarak veya taraf olan her tarafindan gibi",
};

const lists = Object.entries(commonWords).map(
  ([language, words]) => [language, new Set(words.split(" ").map(foldedLower))] as const,
);

function foldedLower(word: string): string {
  return wordsIn(word)[0]!.word;
}

/** A longer text does not improve the result. */
const maxCharacters = 50_000;

/** With a lower share of common words, a text is lists, names and numbers, which do not show its language. */
const leastShare = 0.1;

/** Returns the language of a text; English unless another one is more likely. */
export function languageOf(text: string): string {
  const words = wordsIn(text.slice(0, maxCharacters).toWellFormed());
  const scores = lists.map(([language, list]) => ({
    language,
    share: words.filter(({ word }) => list.has(word)).length / Math.max(1, words.length),
  }));
  const [english] = scores;
  const best = scores.reduce((one, other) => (other.share > one.share ? other : one));
  return best.share >= Math.max(leastShare, english!.share) ? best.language : "english";
}
