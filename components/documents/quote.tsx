/** What a document says, in its own words, and the way to where it says so. */
import { clsx } from "clsx";

export function DocumentQuote({ quote, className }: { quote: string; className?: string }) {
  return (
    <blockquote
      className={clsx(
        "wrap-anywhere max-w-[52rem] border-line border-l-2 pl-3 text-pretty leading-5",
        className,
      )}
    >
      {quote.replace(/\s+/g, " ")}
    </blockquote>
  );
}

/** The version at that page, with the quote marked: line by line, as pages are drawn. */
export function quoteAddress(contractId: string, versionId: string, page: number, quote: string): string {
  const query = new URLSearchParams({ page: String(page) });
  for (const line of quote.split("\n")) if (line.trim().length > 2) query.append("mark", line.trim());
  return `/contracts/${contractId}/versions/${versionId}?${query}`;
}
