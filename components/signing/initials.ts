const letters = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Returns the first letter, with its marks, of each of the first four words. */
export const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 4)
    .map((word) => letters.segment(word)[Symbol.iterator]().next().value?.segment ?? "")
    .join("");
