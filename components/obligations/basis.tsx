"use client";
/** Explains in plain words how an obligation's date is calculated; a click shows the calculation. */
import type { ReactNode } from "react";
import { Popover } from "#components/ui/popover.tsx";
import { DayText } from "#components/ui/time.tsx";
import { counted, inWords } from "#components/words.ts";
import type { AnchorType } from "#lib/obligations/lifecycle.ts";
import type { Obligation } from "#lib/obligations/schema.ts";

type Schedule = Pick<
  Obligation,
  "anchorType" | "offsetValue" | "offsetUnit" | "offsetDirection" | "recurrenceMonths" | "resolutionBasis"
>;

/** What follows "60 days before", or "When" if there is no offset. */
const happenings: Record<AnchorType, string> = {
  EFFECTIVE_DATE: "the contract takes effect",
  EXECUTION_DATE: "the contract was signed",
  EXPIRATION_DATE: "the term ends",
  RENEWAL_DATE: "the contract renews",
  FIXED_DATE: "",
  EVENT: "the event",
};

const awaited: Record<AnchorType, string> = {
  EFFECTIVE_DATE: "Waiting for the contract's effective date",
  EXECUTION_DATE: "Waiting for the contract to be signed",
  EXPIRATION_DATE: "Waiting for the end of the term: the contract has no effective date, or no term",
  RENEWAL_DATE: "Waiting for a renewal: the contract has no end, or does not renew automatically",
  FIXED_DATE: "Waiting for its date",
  EVENT: "Waiting for the event: its date is entered once it is known",
};

const units = {
  DAY: "day",
  BUSINESS_DAY: "business day",
  WEEK: "week",
  MONTH: "month",
  YEAR: "year",
} as const;

/** Renders a schedule such as `60 days before the term ends on 31 Dec 2026, then every 3 months`. */
export function BasisText({ obligation }: { obligation: Schedule }) {
  const { anchorType, offsetValue, offsetUnit, offsetDirection, recurrenceMonths, resolutionBasis } =
    obligation;
  // The calculation begins with the anchor date.
  const anchor = /^[A-Z_]+ (\d{4}-\d\d-\d\d)/.exec(resolutionBasis)?.[1];
  if (!anchor) return awaited[anchorType];
  const what = happenings[anchorType];
  const on = (
    <>
      {what && `${what} on `}
      <DayText value={anchor} />
    </>
  );
  const count = counted(offsetValue, units[offsetUnit]);
  const from: ReactNode =
    offsetValue > 0 ? (
      <>
        {count} {offsetDirection === "BEFORE" ? "before" : "after"} {on}
      </>
    ) : what ? (
      <>When {on}</>
    ) : (
      <>On {on}</>
    );
  return (
    <>
      {from}
      {recurrenceMonths !== null &&
        `, then every ${recurrenceMonths === 1 ? "month" : `${recurrenceMonths} months`}`}
    </>
  );
}

/** The text of the schedule, as a button that shows the calculation. */
export function Basis({ obligation }: { obligation: Schedule }) {
  return (
    <Popover
      label="How the date is counted"
      className="w-80"
      trigger={
        <button
          type="button"
          title="How the date is counted"
          className="relative z-10 max-w-full text-left underline decoration-dotted decoration-edge underline-offset-2 hover:decoration-quiet"
        >
          <BasisText obligation={obligation} />
        </button>
      }
    >
      <div className="grid gap-1 p-3">
        <p className="font-medium">How the date is counted</p>
        <p className="[overflow-wrap:anywhere]">{sumInWords(obligation.resolutionBasis)}</p>
      </div>
    </Popover>
  );
}

/** Rewrites a calculation such as `EXPIRATION_DATE 2026-12-31 … - 60 DAY = 2026-11-01` in plain words. */
function sumInWords(basis: string): string {
  const words = basis.replace(/(?<![A-Z_])[A-Z]+(?:_[A-Z]+)*(?![A-Z_])/g, (word) =>
    inWords(word).toLowerCase(),
  );
  const plural = words.replace(/(\d+) (day|week|month|year|business day)\b/g, (all, count) =>
    count === "1" ? all : `${all}s`,
  );
  return plural.charAt(0).toUpperCase() + plural.slice(1).replaceAll(" - ", " − ");
}
