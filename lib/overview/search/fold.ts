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

/** Short words as folded before: folding a letter of a script without spaces costs more than finding it. */
const foldedBefore = new Map<string, string>();
/** These take some 5 MB. */
const maxKept = 50_000;
/** A longer piece of a text would keep the whole text in memory. */
const longestKept = 12;

/**
 * Returns the words of a text with their positions. Folded words are cached, since texts repeat most of their words.
 */
export function wordsIn(text: string): WordPlace[] {
  const longer = new Map<string, string>();
  const folded = (written: string) => {
    const known = written.length > longestKept ? longer : foldedBefore;
    let word = known.get(written);
    if (word !== undefined) return word;
    word = fold(written).trim().toLowerCase();
    if (foldedBefore.size >= maxKept) foldedBefore.clear();
    known.set(written, word);
    return word;
  };
  return [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    word: folded(word),
    start: index,
    end: index + word.length,
  }));
}
