"use client";
/** Where a proposal stands in the document, in its own words, and how it follows from them. */
import { DocumentQuote, quoteAddress } from "#components/documents/quote.tsx";
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
