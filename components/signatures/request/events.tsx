"use client";
/** The request's history as a chain of events, which proves that nothing was removed or changed. */
import { useState } from "react";
import { useOperation } from "#components/query.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { inWords } from "#components/words.ts";
import type { Envelope } from "../request-actions.ts";

export function RequestEvents({ envelope, everyMs }: { envelope: Envelope; everyMs: number | null }) {
  const { id: envelopeId, signers } = envelope;
  const names = new Map(signers.map(({ id, name }) => [id, name]));
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useOperation(
    "signatures.events",
    { envelopeId, page },
    { keepPrevious: true, everyMs },
  );
  const head = useOperation("signatures.events", { envelopeId, page: 1 }).data?.data[0]?.hash;
  return (
    <Section title="History" hint={head && "Each entry carries the hash of the one before."}>
      {error && !data ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows label="Loading the history" rows={4} />
      ) : (
        <Card>
          {head && (
            <p className="border-line border-b px-4 py-2.5">
              <CopyText label="Head of the chain" text={head} />
            </p>
          )}
          <ol>
            {data.data.map(({ id, type, actor, signerId, ipAddress, createdAt }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-line border-b px-4 py-2 last:border-b-0"
              >
                <span className="font-medium">{inWords(type)}</span>
                <span className="min-w-0 flex-1 basis-40 break-words text-quiet">
                  {signerId && signerId !== actor.id && `${names.get(signerId) ?? "A signer"}, by `}
                  {actor.name ?? (actor.kind === "SYSTEM" ? "Countersign" : inWords(actor.kind))}
                  {ipAddress && `, ${ipAddress}`}
                </span>
                <DateTime value={createdAt} className="text-quiet text-xs" />
              </li>
            ))}
          </ol>
          {data.pageCount > 1 && (
            <div className="border-line border-t px-4 py-2.5">
              <Pagination {...data} what="entries" onPage={setPage} />
            </div>
          )}
        </Card>
      )}
    </Section>
  );
}
