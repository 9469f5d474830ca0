/**
 * Counts the letters and digits of a text, ignoring case, accents, ligatures and contextual forms. Counts letters
 * rather than words, so that line breaks, hyphenation and the order of columns and footnotes make no difference.
 */
export class LetterCounts {
  readonly #characters = new Map<string, number>();

  add(text: string): void {
    for (const one of text) this.#characters.set(one, (this.#characters.get(one) ?? 0) + 1);
  }

  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [character, count] of this.#characters) {
      for (const letter of character
        .normalize("NFKD")
        .toLowerCase()
        .match(/[\p{L}\p{N}]/gu) ?? []) {
        counts.set(letter, (counts.get(letter) ?? 0) + count);
      }
    }
    return counts;
  }
}

/** The share of a text's letters that another text lacks: 0 for none, 1 for all. */
export function missingShare(text: LetterCounts, from: LetterCounts): number {
  const has = from.counts();
  let [all, missing] = [0, 0];
  for (const [letter, count] of text.counts()) {
    all += count;
    missing += Math.max(0, count - (has.get(letter) ?? 0));
  }
  return all === 0 ? 0 : missing / all;
}
