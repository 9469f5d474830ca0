"use client";
/** What other dates would change, before they are saved. */
import { DayText } from "#components/ui/time.tsx";
import { expiresOn } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import type { Day } from "#lib/dates.ts";

export interface WantedTerm {
  effectiveDate: string | null;
  executedAt: string | null;
  termMonths?: number | null;
  autoRenews: boolean;
  renewalMonths?: number | null;
}

export function TermPreview({ contract, wanted }: { contract: Contract; wanted: WantedTerm | null }) {
  if (!wanted) return null;
  const ends = expiresOn({
    effectiveDate: wanted.effectiveDate as Day | null,
    termMonths: wanted.termMonths ?? null,
  });
  return (
    <div aria-live="polite" className="rounded-lg bg-well px-4 py-3">
      <p className="font-medium">What would change</p>
      {ends === (contract.expiresAt?.slice(0, 10) ?? null) ? (
        <p className="text-quiet">The last day stays as it is.</p>
      ) : (
        <p className="text-quiet">
          Last day: <DayText value={contract.expiresAt} empty="none" /> →{" "}
          <span className="font-medium text-ink">
            <DayText value={ends} empty="none" />
          </span>
        </p>
      )}
    </div>
  );
}
