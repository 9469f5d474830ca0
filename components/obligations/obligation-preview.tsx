"use client";
/** Previews when an obligation would fall due, calculated by the server in the same way as on saving. */
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { DayText } from "#components/ui/time.tsx";
import type { InputOf } from "#lib/doors/client.ts";
import { BasisText } from "./basis.tsx";

type Draft = InputOf<"obligations.preview">;

export interface ObligationPreviewProps {
  contractId: string;
  id?: string | undefined;
  /** Null while the form is invalid. */
  schedule: Omit<Draft, "contractId" | "id"> | null;
}

export function ObligationPreview({ contractId, id, schedule }: ObligationPreviewProps) {
  const text = useDebounced(JSON.stringify({ contractId, ...(id ? { id } : {}), ...schedule }), 200);
  const asked: Draft = JSON.parse(text);
  const isAsked = schedule !== null && asked.anchorType !== undefined;
  const { data, isFetching } = useOperation("obligations.preview", asked, {
    enabled: isAsked,
    keepPrevious: true,
  });
  const { resolvedDate, resolutionBasis } = data ?? {};
  return (
    <div aria-live="polite" aria-busy={isFetching} className="rounded-lg bg-well px-4 py-3">
      <p className="font-medium">
        {!isAsked || !data ? (
          "When it falls due"
        ) : resolvedDate ? (
          <>
            Falls due on <DayText value={resolvedDate} />
          </>
        ) : (
          "Has no date yet"
        )}
      </p>
      <p className="text-quiet">
        {isAsked && resolutionBasis !== undefined ? (
          <BasisText obligation={{ ...filled(asked), resolutionBasis }} />
        ) : (
          "Shown here once the fields above are filled in."
        )}
      </p>
    </div>
  );
}

/** Returns a draft with the server's default values. */
const filled = ({
  anchorType,
  offsetValue = 0,
  offsetUnit = "DAY",
  offsetDirection = "AFTER",
  recurrenceMonths = null,
}: Draft) => ({
  ...{ anchorType, offsetValue, offsetUnit, offsetDirection, recurrenceMonths },
});
