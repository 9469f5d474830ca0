"use client";
/** Where a proposal stands in the document, in its own words, and how it follows from them. */
import { Link } from "#components/ui/link.tsx";
import type { ProposedDate } from "#lib/proposals/schema.ts";

/** Of an obligation that came without a document, nothing is known of where it stands. */
export type FoundAt = {
  [Name in "versionId" | "versionNumber" | "page" | "quote" | "reasoning"]: ProposedDate[Name] | null;
};

export function Found({ found, contractId }: { found: FoundAt; contractId: string }) {
  const { versionId, versionNumber, page, quote, reasoning } = found;
  return (
    <>
      {quote && <DocumentQuote quote={quote} />}
      <p className="wrap-anywhere text-quiet text-xs">
        {reasoning}{" "}
        {versionId && page && quote && (
          <Link href={quoteAddress(contractId, versionId, page, quote)}>
            Page {page} of version {versionNumber}
          </Link>
        )}
      </p>
    </>
  );
}

export function DocumentQuote({ quote }: { quote: string }) {
  return (
    <blockquote className="wrap-anywhere max-w-[52rem] border-line border-l-2 pl-3 text-pretty leading-5">
      {quote.replace(/\s+/g, " ")}
    </blockquote>
  );
}

/** The version at that page, with the quote marked: line by line, as pages are drawn. */
function quoteAddress(contractId: string, versionId: string, page: number, quote: string): string {
  const query = new URLSearchParams({ page: String(page) });
  for (const line of quote.split("\n")) if (line.trim().length > 2) query.append("mark", line.trim());
  return `/contracts/${contractId}/versions/${versionId}?${query}`;
}
