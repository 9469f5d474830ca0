/** Letters as search compares them: without accents, ligatures taken apart. Stems are made of folded words alone. */

/** What Unicode does not take apart, though keyboards elsewhere do. */
const plain: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", Æ: "AE", œ: "oe", Œ: "OE", ø: "o", Ø: "O" },
  ...{ ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", "’": "'", "‐": "-", "‑": "-" },
};
const unusual = new RegExp(`[${Object.keys(plain).join("")}]`, "g");

/** Only the accents of Latin, Greek and Cyrillic letters: in other scripts, marks are vowels. */
const accents = /[\u0300-\u036f\u00ad]/g;

/** Scripts that set no spaces between words: each of their letters is searched for as a word. */
const unspaced =
  "(?=\\p{L})[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]\\p{M}*";
const unspacedLetter = new RegExp(unspaced, "gu");
/** PostgreSQL takes "Seller/Buyer" for a path and "goods.The" for a host: each one word, in which no one finds the other. */
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
  /** Folded, in lower case. */
  word: string;
  start: number;
  end: number;
}

const letters = `(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}])+`;
const wordPattern = new RegExp(`${unspaced}|${letters}(?:['’‐‑-]${letters})*`, "gu");

/** The words of a text, each with its place. A text says most of its words again. */
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
