/** Turns what was read from a document into proposals: dates of the contract, and obligations relative to them. */
import { type Day, daysBetween, expiresOn, midnight } from "#lib/core/dates.ts";
import { type Duration, formatDuration, monthsOf } from "#lib/documents/terms/durations.ts";
import type { Quote } from "#lib/documents/terms/flow.ts";
import type { Findings, FoundDuty, FoundTerm } from "#lib/documents/terms/terms.ts";
import type { AnchorType, ObligationKind, OffsetDirection } from "#lib/obligations/lifecycle.ts";
import type { Anchor } from "./schema.ts";

interface Source {
  /** Counted from 1. */
  page: number;
  quote: string;
  reasoning: string;
}

export interface DateDraft extends Source {
  anchor: Anchor;
  /** A day, or a number of months. */
  value: string;
}

export interface ObligationDraft extends Source {
  kind: ObligationKind;
  title: string;
  anchorType: AnchorType;
  offsetValue: number;
  offsetUnit: Duration["unit"];
  offsetDirection: OffsetDirection;
  fixedDate: Date | null;
  recurrenceMonths: number | null;
}

export interface Drafts {
  dates: DateDraft[];
  obligations: ObligationDraft[];
}

export function draftsFrom(findings: Findings): Drafts {
  const { effectiveDate, term, renewal, renewalNotice, duties } = findings;
  const months = term && termMonthsOf(term, effectiveDate?.date ?? null);
  const renewalMonths = renewal?.isAutomatic ? monthsOf(renewal.length) : null;
  return {
    dates: [
      ...(effectiveDate ? [date("EFFECTIVE_DATE", effectiveDate.date, effectiveDate)] : []),
      ...(term && months !== null
        ? [date("TERM", String(months), { ...term, reasoning: reasonOf(term, months) })]
        : []),
      ...(renewal && renewalMonths ? [date("RENEWAL", String(renewalMonths), renewal)] : []),
    ],
    obligations: [
      ...(renewalNotice
        ? [
            obligation(renewalNotice, {
              kind: "RENEWAL_NOTICE",
              title: "Give notice if the contract should not renew",
              anchorType: "EXPIRATION_DATE",
              offset: renewalNotice.length,
            }),
          ]
        : []),
      ...(term?.end && months === null ? [endOn(term, term.end)] : []),
      ...duties.flatMap((duty) => dutyOf(duty) ?? []),
    ],
  };
}

type Found = { quote: Quote; reasoning: string };

const sourceOf = ({ quote, reasoning }: Found): Source => ({
  page: quote.pageIndex + 1,
  quote: quote.text,
  reasoning,
});

const date = (anchor: Anchor, value: string, found: Found): DateDraft => ({
  anchor,
  value,
  ...sourceOf(found),
});

interface Rule {
  kind: ObligationKind;
  title: string;
  anchorType: AnchorType;
  offset?: Duration | null;
  offsetDirection?: OffsetDirection;
  recurrenceMonths?: number | null;
}

function obligation(found: Found, { offset, ...rule }: Rule): ObligationDraft {
  return {
    offsetValue: offset?.value ?? 0,
    offsetUnit: offset?.unit ?? "DAY",
    offsetDirection: "BEFORE",
    fixedDate: null,
    recurrenceMonths: null,
    ...rule,
    ...sourceOf(found),
  };
}

function endOn(term: FoundTerm, end: string): ObligationDraft {
  const rule = { kind: "EXPIRATION", title: "The contract ends", anchorType: "FIXED_DATE" } as const;
  return { ...obligation(term, rule), offsetDirection: "AFTER", fixedDate: midnight(end as Day) };
}

const longestTerm = 1200;

/**
 * Returns the term in whole months from the effective date, as the contract counts it; null if there is none. The last
 * day in the text may be the anniversary of the first, as lawyers often write it, where ours is the day before.
 */
export function termMonthsOf(
  { length, end, from, isFromOwnDay }: FoundTerm,
  effective: string | null,
): number | null {
  const months = length && monthsOf(length);
  const isFromEffective = from === null || effective === null ? isFromOwnDay : from === effective;
  if (months && isFromEffective) return months <= longestTerm ? months : null;
  if (!end || !effective) return null;
  const [first, last] = [new Date(effective), new Date(end)];
  const apart =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
  const fits = (termMonths: number) => {
    if (termMonths < 1 || termMonths > longestTerm) return false;
    const computed = expiresOn({ effectiveDate: effective as Day, termMonths })!;
    return Math.abs(daysBetween(computed, end as Day)) <= (length ? 0 : 1);
  };
  return [apart, apart + 1].find(fits) ?? null;
}

/** Explains the months if they differ from those in the quote because the text counts from another day. */
function reasonOf({ length, reasoning }: FoundTerm, months: number): string {
  if (!length || monthsOf(length) === months) return reasoning;
  return `${reasoning} From the effective date that is ${formatDuration({ value: months, unit: "MONTH" })}.`;
}

/** Duties whose date depends on something that happens are anchored to an event. */
function dutyOf(duty: FoundDuty): ObligationDraft | null {
  const { kind, length, recurrenceMonths } = duty;
  const time = length ? formatDuration(length) : null;
  switch (kind) {
    case "convenience":
      if (!time) return null;
      return obligation(duty, {
        kind: "TERMINATION_NOTICE",
        title: `Give ${time} notice to end the contract early`,
        ...{ anchorType: "EVENT", offset: length },
      });
    case "payment":
      return obligation(duty, {
        kind: "PAYMENT",
        title: `Pay within ${time}`,
        ...{ anchorType: "EVENT", offset: length, offsetDirection: "AFTER" },
      });
    case "audit":
      return obligation(duty, {
        kind: "AUDIT",
        title: time ? `Give ${time} notice of an audit` : "Audit the records",
        ...{ anchorType: "EVENT", offset: length },
      });
    case "insurance":
      return obligation(duty, {
        kind: "INSURANCE",
        title: "Check that the insurance is in force",
        ...{ anchorType: "EFFECTIVE_DATE", offsetDirection: "AFTER" },
      });
    case "reporting":
      return obligation(duty, {
        kind: "REPORTING",
        title: `Send the report within ${time}`,
        ...{ anchorType: "EVENT", offset: length, offsetDirection: "AFTER", recurrenceMonths },
      });
    case "afterEnd":
      return obligation(duty, {
        kind: "OTHER",
        title: "Finish what goes on after the end",
        ...{ anchorType: "EXPIRATION_DATE", offset: length, offsetDirection: "AFTER" },
      });
  }
}
