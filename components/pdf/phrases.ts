/**
 * Returns the phrases to mark for quotes: each quote, and every three consecutive words of it, because a
 * page's text layer may consist of pieces smaller than a line.
 */
export function phrasesOf(quotes: readonly string[]): string[] {
  const windows = quotes.flatMap((quote) => {
    const words = quote.split(/\s+/).filter(Boolean);
    if (words.length <= 3) return [];
    return words.slice(2).map((_, at) => words.slice(at, at + 3).join(" "));
  });
  return [...new Set([...quotes, ...windows])];
}
