/** What to mark of quotes on a page that may be drawn in smaller pieces than lines: each quote, and its words by threes. */
export function phrasesOf(quotes: readonly string[]): string[] {
  const windows = quotes.flatMap((quote) => {
    const words = quote.split(/\s+/).filter(Boolean);
    if (words.length <= 3) return [];
    return words.slice(2).map((_, at) => words.slice(at, at + 3).join(" "));
  });
  return [...new Set([...quotes, ...windows])];
}
