/**
 * Converts an obligation's row to a schedule that can be resolved: a recurring one continues after its completions.
 */

import { addDays, addMonths, dayOf, midnight } from "#lib/core/dates.ts";
import type { Schedule } from "./resolve.ts";
import type { ObligationRow } from "./rows.ts";

type Progress = Pick<ObligationRow, "completedThrough" | "throughCount">;
type Counted = Pick<ObligationRow, "completedCount" | "recurrenceMonths"> & Partial<Progress>;

/** How many days early a date can be in a month that is too short for it. */
const clampedDays = 3;

/**
 * The last completed date, and how many completions there were by then. The previous version only counted: what it
 * completed extends up to the next date, which stays.
 */
export function progressOf(row: Counted & { resolvedDate?: Date | null }) {
  const { completedThrough = null, throughCount, completedCount, recurrenceMonths, resolvedDate } = row;
  if (throughCount != null) return { completedThrough, throughCount };
  if (completedCount === 0) return { completedThrough: null, throughCount: null };
  if (recurrenceMonths === null || !resolvedDate) return { completedThrough: null, throughCount: 0 };
  const last = addDays(addMonths(dayOf(resolvedDate), -recurrenceMonths), clampedDays);
  return { completedThrough: midnight(last), throughCount: completedCount };
}

/** Completions after the last completed date: they had no date. */
export function completedSince(row: Parameters<typeof progressOf>[0]): number {
  // The previous version may restart the count when the rhythm changes.
  return Math.max(0, row.completedCount - (progressOf(row).throughCount ?? 0));
}

type Scheduled = Omit<Schedule, "fixedDate" | "completedThrough" | "completedSince"> &
  Pick<ObligationRow, "completedCount">;

export function scheduleOf(row: Scheduled | ObligationRow): Schedule {
  const { fixedDate, ...rest } = row as ObligationRow;
  const { completedThrough } = progressOf(rest);
  return {
    ...(rest as Scheduled),
    fixedDate: fixedDate && dayOf(fixedDate),
    completedThrough: completedThrough && dayOf(completedThrough),
    completedSince: completedSince(rest),
  };
}

/** Adds a completion: of a date, or of the next occurrence while there is no date. */
export function completed(row: ObligationRow, date: Date | null) {
  const completedCount = row.completedCount + 1;
  return date ? { completedCount, completedThrough: date, throughCount: completedCount } : { completedCount };
}

/** The row with the patch applied. In a new rhythm, the next date is the first one after the last completed. */
export function rescheduled<Row extends ObligationRow>(before: Row, patch: Partial<ObligationRow>): Row {
  const after = { ...before, ...progressOf(before), ...patch };
  const [old, now] = [before.recurrenceMonths, after.recurrenceMonths];
  const since = completedSince(before);
  if (old === now || since === 0) return after;
  const doneMonths = (old ?? 0) * (since - 1);
  const sinceNow = now === null ? 0 : Math.floor(doneMonths / now) + 1;
  return { ...after, throughCount: after.completedCount - sinceNow };
}
