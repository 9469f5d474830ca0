/** Letters as search compares them: without accents, ligatures taken apart. Stems are made of folded words alone. */

/** What Unicode does not take apart, though keyboards elsewhere do. */
const plain: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", Æ: "AE", œ: "oe", Œ: "OE", ø: "o", Ø: "O" },
  ...{ ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", "’": "'", "‐": "-", "‑": "-" },
};
const unusual = new RegExp(`[${Object.keys(plain).join("")}]`, "g");

/** Only the accents of Latin, Greek and Cyrillic letters: in other scripts, marks are vowels. */
const accents = /[\u0300-\u036f\u00ad]/g;

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(accents, "")
    .replace(unusual, (letter) => plain[letter]!);
}

export interface WordPlace {
  /** Folded, in lower case. */
  word: string;
  start: number;
  end: number;
}

const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’‐‑-][\p{L}\p{N}\p{M}]+)*/gu;

/** The words of a text, each with its place. */
export function wordsIn(text: string): WordPlace[] {
  return [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    word: fold(word).toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
