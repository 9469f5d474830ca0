"use client";
/** The results of a search in documents: the matching clauses, quoted, each with a link to its page. */
import { FileSearch, SearchX } from "lucide-react";
import NextLink from "next/link";
import { useState } from "react";
import { useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { formatCount } from "#components/ui/numbers.ts";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { inWords } from "#components/words.ts";
import type { InputOf, OutputOf } from "#lib/doors/client.ts";
import { clausePath } from "#lib/overview/search/addresses.ts";
import type { ClauseHit } from "#lib/overview/search/schema.ts";
import { Quote } from "./quote.tsx";

type Indexing = OutputOf<"search.clauses">["indexing"];

/**
 * The number of hits at first and after each “Show more”. Beyond the last, other words help more than further
 * hits.
 */
const steps = [10, 25, 50] as const;

export function ClauseResults({ input }: { input: InputOf<"search.clauses"> }) {
  const isAsked = input.q !== "";
  const inputKey = JSON.stringify(input);
  const [more, setMore] = useState({ inputKey, step: 0 });
  const step = more.inputKey === inputKey ? more.step : 0;
  const asked = { ...input, limit: steps[step]! };
  const found = useOperation("search.clauses", asked, { enabled: isAsked, keepPrevious: true });
  const { data, error, isFetching, refetch } = found;
  if (!isAsked) {
    return (
      <EmptyState icon={FileSearch} title="Search inside documents">
        Type some words or a question, such as “automatic renewal” or “who bears the cost of an audit”.
        Matching clauses are quoted here.
      </EmptyState>
    );
  }
  if (error && !data) {
    return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  }
  if (!data) return <SkeletonRows label="Searching documents" rows={6} />;
  const { hits, hasMore, indexing } = data;
  return (
    <div className="px-4 py-2 md:px-6">
      <IndexingNotice {...indexing} />
      {hits.length === 0 ? (
        <EmptyState icon={SearchX} title="No clause found">
          No document in these contracts matches. Try other words, or clear the filters.
        </EmptyState>
      ) : (
        <ol aria-label="Clauses" className="divide-y divide-line">
          {hits.map((hit, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a hit is its position in the response.
            <Hit key={at} hit={hit} />
          ))}
        </ol>
      )}
      {hasMore && (
        <div className="grid justify-items-center py-3">
          {step + 1 < steps.length ? (
            <Button busy={isFetching} onClick={() => setMore({ inputKey, step: step + 1 })}>
              Show more
            </Button>
          ) : (
            <p className="text-quiet">There are more results. Refine the search or add a filter.</p>
          )}
        </div>
      )}
    </div>
  );
}

function Hit({ hit }: { hit: ClauseHit }) {
  const { contract, version, pageIndex, heading, label, quote, marks } = hit;
  const title = [label, heading].filter(Boolean).join(" ");
  const about = [contract.counterpartyName, inWords(contract.status)].filter(Boolean).join(" · ");
  return (
    <li className="relative grid gap-1 py-3.5 hover:bg-hover/50">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <NextLink
          prefetch={false}
          href={clausePath(hit)}
          className="wrap-anywhere rounded-sm font-medium text-ink underline-offset-2 after:absolute after:inset-0 hover:underline"
        >
          {contract.title}
        </NextLink>
        <span className="wrap-anywhere text-faint text-xs">
          {about} · Version {version.versionNumber}, page {pageIndex + 1}
        </span>
      </div>
      {title && !quote.startsWith(title) && <p className="wrap-anywhere text-quiet text-xs">{title}</p>}
      <blockquote className="wrap-anywhere max-w-[52rem] border-line border-l-2 pl-3 text-pretty leading-5">
        <Quote quote={quote} marks={marks} />
      </blockquote>
    </li>
  );
}

/** Reports that documents are still being indexed, since that may be why nothing was found. */
function IndexingNotice({ indexed, total }: Indexing) {
  if (indexed >= total) return null;
  return (
    <p role="status" className="pt-2 text-quiet">
      {formatCount(indexed)} of {formatCount(total)} documents can be searched so far. The others are being
      read.
    </p>
  );
}
