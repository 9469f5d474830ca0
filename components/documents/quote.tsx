/** Quotes from a document, and the address of their place in it. */
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

/**
 * Returns the address of the page with the quote's lines marked one by one, like in the viewer's text layer.
 */
export function quoteAddress(contractId: string, versionId: string, page: number, quote: string): string {
  const query = new URLSearchParams({ page: String(page) });
  for (const line of quote.split("\n")) if (line.trim().length > 2) query.append("mark", line.trim());
  return `/contracts/${contractId}/versions/${versionId}?${query}`;
}
