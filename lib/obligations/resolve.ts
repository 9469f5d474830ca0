/** When an obligation is due, and the calculation that explains it. */

import {
  addBusinessDays,
  addDays,
  addMonths,
  addYears,
  type Day,
  expiresOn,
  midnight,
} from "#lib/core/dates.ts";
import type { AnchorType, OffsetDirection, OffsetUnit } from "./lifecycle.ts";

export type Schedule = {
  anchorType: AnchorType;
  offsetValue: number;
  offsetUnit: OffsetUnit;
  offsetDirection: OffsetDirection;
  /** The anchor of FIXED_DATE, and of EVENT once its date has been entered. */
  fixedDate: Day | null;
  recurrenceMonths: number | null;
  /** The last completed occurrence. It and the next property apply only with `recurrenceMonths`. */
  completedThrough: Day | null;
  /** Occurrences completed after that, or before there was any date. */
  completedSince: number;
};

/** The dates and term that obligations take from their contract. */
export type Anchors = {
  effectiveDate: Day | null;
  executedAt: Day | null;
  termMonths: number | null;
  autoRenews: boolean;
};

export type Resolution = {
  resolvedDate: Day | null;
  /** `EXPIRATION_DATE 2026-12-31 (effective 2026-01-01 + 12 months) - 60 DAY = 2026-11-01` */
  resolutionBasis: string;
};

export function resolve(schedule: Schedule, contract: Anchors): Resolution {
  const { anchorType, offsetValue, offsetUnit, offsetDirection, recurrenceMonths } = schedule;
  const anchor = findAnchor(schedule, contract);
  if (anchor.day === null) return { resolvedDate: null, resolutionBasis: `Waiting for ${anchorType}` };

  let resolvedDate = anchor.day;
  let sum = "";
  if (offsetValue > 0) {
    const isBefore = offsetDirection === "BEFORE";
    resolvedDate = addOffset[offsetUnit](resolvedDate, isBefore ? -offsetValue : offsetValue);
    sum += ` ${isBefore ? "-" : "+"} ${offsetValue} ${offsetUnit}`;
  }
  const { completedThrough, completedSince } = schedule;
  const passed = completedSince + recurrencesUntil(completedThrough, resolvedDate, recurrenceMonths);
  if (recurrenceMonths !== null && passed > 0) {
    resolvedDate = addMonths(resolvedDate, recurrenceMonths * passed);
    sum += ` + ${inMonths(recurrenceMonths)} x ${passed}`;
  }
  if (sum !== "") sum += ` = ${resolvedDate}`;

  return { resolvedDate, resolutionBasis: `${anchorType} ${anchor.day}${anchor.origin ?? ""}${sum}` };
}

/** How many of the dates from `first` on are completed: those up to `through`, even if `first` has moved since. */
function recurrencesUntil(through: Day | null, first: Day, recurrenceMonths: number | null): number {
  if (through === null || recurrenceMonths === null) return 0;
  const whole = Math.max(0, Math.floor(monthsBetween(first, through) / recurrenceMonths));
  return addMonths(first, recurrenceMonths * whole) > through ? whole : whole + 1;
}

/** Months between two calendar months, ignoring the days. */
function monthsBetween(from: Day, to: Day): number {
  const [first, last] = [midnight(from), midnight(to)];
  const years = last.getUTCFullYear() - first.getUTCFullYear();
  return years * 12 + last.getUTCMonth() - first.getUTCMonth();
}

const addOffset: Record<OffsetUnit, (day: Day, count: number) => Day> = {
  DAY: addDays,
  BUSINESS_DAY: addBusinessDays,
  WEEK: (day, weeks) => addDays(day, weeks * 7),
  MONTH: addMonths,
  YEAR: addYears,
};

/** The anchor's day, and for a calculated one its origin. */
function findAnchor(schedule: Schedule, contract: Anchors): { day: Day | null; origin?: string } {
  const { effectiveDate, termMonths } = contract;
  const lastDay = expiresOn(contract);
  const term = `effective ${effectiveDate} + ${inMonths(termMonths)}`;

  switch (schedule.anchorType) {
    case "EFFECTIVE_DATE":
      return { day: effectiveDate };
    case "EXECUTION_DATE":
      return { day: contract.executedAt };
    case "EXPIRATION_DATE":
      return { day: lastDay, origin: ` (${term})` };
    case "RENEWAL_DATE": {
      const renewsOn = contract.autoRenews && lastDay !== null ? addDays(lastDay, 1) : null;
      return { day: renewsOn, origin: ` (the day after ${lastDay}, ${term})` };
    }
    case "FIXED_DATE":
    case "EVENT":
      return { day: schedule.fixedDate };
  }
}

function inMonths(count: number | null): string {
  return `${count} ${count === 1 ? "month" : "months"}`;
}
