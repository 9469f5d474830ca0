"use client";
/** Where a proposal was found: the quote, its page, and the reasoning. */
import { DocumentQuote, quoteAddress } from "#components/documents/quote.tsx";
import { Link } from "#components/ui/link.tsx";
import type { ProposedDate } from "#lib/proposals/schema.ts";

/** The source of a proposal. All fields are null for an obligation suggested without a document. */
export type FoundAt = {
  [Name in "versionId" | "versionNumber" | "page" | "quote" | "reasoning"]: ProposedDate[Name] | null;
};

export function ProposalSource({ found, contractId }: { found: FoundAt; contractId: string }) {
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
