/** The last day of a length of time, counted like a contract's own term. */
import { addDays, type Day, termEnd } from "#lib/core/dates.ts";
import { type Duration, monthsOf } from "./durations.ts";

export function lastDayOf(first: string, length: Duration): string {
  const months = monthsOf(length);
  if (months !== null) return termEnd(first as Day, months);
  const days = length.unit === "WEEK" ? length.value * 7 : length.value;
  return addDays(first as Day, days - 1);
}
