"use client";
/** Previews what changed dates would affect, as calculated by the server, before they are saved. */
import type { ReactNode } from "react";
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { DayText } from "#components/ui/time.tsx";
import { counted, inWords } from "#components/words.ts";
import type { InputOf } from "#lib/doors/client.ts";

export type WantedTerm = Omit<InputOf<"contracts.previewAnchors">, "id">;

const maxShown = 6;

/** `wanted` is null while the form is invalid. */
export function TermPreview({ contractId, wanted }: { contractId: string; wanted: WantedTerm | null }) {
  const input = useDebounced(JSON.stringify({ id: contractId, ...wanted }), 200);
  const { data, isFetching } = useOperation("contracts.previewAnchors", JSON.parse(input), {
    enabled: wanted !== null,
    keepPrevious: true,
  });
  if (!data) return null;
  const { expiresAt, status, renewals, obligations } = data;
  const moved = obligations.filter(({ resolvedDate }) => resolvedDate.from !== resolvedDate.to);
  const changes =
    expiresAt.from !== expiresAt.to || status.from !== status.to || renewals > 0 || moved.length > 0;
  return (
    <div aria-live="polite" aria-busy={isFetching} className="rounded-lg bg-well px-4 py-3">
      <p className="font-medium">What would change</p>
      {!changes && <p className="text-quiet">Nothing that depends on them.</p>}
      <ul className="mt-1 grid gap-1">
        {expiresAt.from !== expiresAt.to && (
          <Line what="Last day">
            <DayText value={expiresAt.from} empty="none" /> → <Day value={expiresAt.to} />
          </Line>
        )}
        {status.from !== status.to && (
          <Line what="Status">
            {inWords(status.from)} → <strong className="font-medium text-ink">{inWords(status.to)}</strong>
          </Line>
        )}
        {renewals > 0 && <Line what="Renews">{counted(renewals, "time")}, to reach today</Line>}
        {moved.slice(0, maxShown).map(({ id, title, resolvedDate }) => (
          <Line key={id} what={title}>
            <DayText value={resolvedDate.from} empty="no date" /> → <Day value={resolvedDate.to} />
          </Line>
        ))}
        {moved.length > maxShown && (
          <Line what="And">{counted(moved.length - maxShown, "other obligation")}</Line>
        )}
      </ul>
    </div>
  );
}

function Day({ value }: { value: string | null }) {
  return (
    <strong className="font-medium text-ink">
      <DayText value={value} empty="no date" />
    </strong>
  );
}

function Line({ what, children }: { what: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="min-w-0">{what}</span>
      <span className="text-quiet">{children}</span>
    </li>
  );
}
