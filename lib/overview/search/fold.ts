/** Normalizes text for search: removes accents and splits ligatures. Only folded words are stemmed. */

/** Characters that Unicode does not decompose, but that other keyboards type differently. */
const plain: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", Æ: "AE", œ: "oe", Œ: "OE", ø: "o", Ø: "O" },
  ...{ ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", "’": "'", "‐": "-", "‑": "-" },
};
const unusual = new RegExp(`[${Object.keys(plain).join("")}]`, "g");

/** Combining accents of Latin, Greek and Cyrillic letters only: in other scripts, marks are vowels. */
const accents = /[\u0300-\u036f\u00ad]/g;

/** Scripts without spaces between words: each of their letters is indexed as a word. */
const unspaced =
  "(?=\\p{L})[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]\\p{M}*";
const unspacedLetter = new RegExp(unspaced, "gu");
/**
 * PostgreSQL parses "Seller/Buyer" as a path and "goods.The" as a host name: as single tokens, in which nobody would
 * find the words.
 */
const stroke = /(?<=\p{L})\/(?=\p{L})/gu;
const missingSpace = /(?<=\p{Ll}{2})\.(?=\p{Lu}\p{Ll})/gu;

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(accents, "")
    .replace(unusual, (letter) => plain[letter]!)
    .replace(stroke, " / ")
    .replace(missingSpace, ". ")
    .replace(unspacedLetter, " $& ");
}

export interface WordPlace {
  /** Folded and in lower case. */
  word: string;
  start: number;
  end: number;
}

const letters = `(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`;
const wordPattern = new RegExp(`${unspaced}|${letters}(?:['’‐‑-]${letters})*`, "gu");

/**
 * Returns the words of a text with their positions. Folded words are cached, since a text repeats most of its words.
 */
export function wordsIn(text: string): WordPlace[] {
  const known = new Map<string, string>();
  const folded = (written: string) => {
    const word = known.get(written) ?? fold(written).trim().toLowerCase();
    known.set(written, word);
    return word;
  };
  return [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    word: folded(word),
    start: index,
    end: index + word.length,
  }));
}
