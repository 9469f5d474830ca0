/**
 * Arithmetic on UTC calendar days. No clock times and no time zones: a contract ends on a day, everywhere.
 *
 * Days run from 0001-01-01 to 9999-12-31. Arithmetic that would leave them stops at the edge, so a day always
 * has ten characters, and days compare with `<` as text.
 */

/** `YYYY-MM-DD`. The pattern keeps ISO timestamps and plain strings out: make one with `dayOf`. */
export type Day = `${number}-${number}-${number}`;

const dayMs = 86_400_000;
const firstMs = Date.parse("0001-01-01");
const lastMs = Date.parse("9999-12-31");

export function dayOf(date: Date): Day {
  const withinRange = new Date(Math.min(Math.max(date.getTime(), firstMs), lastMs));
  return withinRange.toISOString().slice(0, 10) as Day;
}

export function midnight(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
}

export function daysBetween(from: Day, to: Day): number {
  return (midnight(to).getTime() - midnight(from).getTime()) / dayMs;
}

export function addDays(day: Day, days: number): Day {
  return dayOf(new Date(midnight(day).getTime() + days * dayMs));
}

/**
 * The same day of another month, or that month's last day if it has no such day. Clamping loses the anchor's day, so a
 * series computes each of its days from the anchor: 31 Jan, 28 Feb, 31 Mar.
 */
export function addMonths(day: Day, months: number): Day {
  const anchor = midnight(day);
  const target = midnight(day);
  target.setUTCMonth(anchor.getUTCMonth() + months);
  // A day that the month lacks overflows into the next month; day 0 steps back to the end of the intended one.
  if (target.getUTCDate() !== anchor.getUTCDate()) target.setUTCDate(0);
  return dayOf(target);
}

export function addYears(day: Day, years: number): Day {
  return addMonths(day, years * 12);
}

/** Counts Mondays to Fridays, forward or backward. From a weekend, 1 is Monday and -1 is Friday; 0 stays. */
export function addBusinessDays(day: Day, days: number): Day {
  const date = midnight(day);
  for (let left = Math.abs(days); left > 0; ) {
    date.setUTCDate(date.getUTCDate() + Math.sign(days));
    if (!isWeekend(date)) left -= 1;
  }
  return dayOf(date);
}

function isWeekend(date: Date): boolean {
  return date.getUTCDay() === 0 || date.getUTCDay() === 6;
}

/**
 * The last day of a term: the day before the effective day's anniversary. If the last month has no such day, its end is
 * the last day of the term: 31 Jan + 1 month ends on 28 or 29 Feb.
 */
export function termEnd(effective: Day, termMonths: number): Day {
  const anniversary = addMonths(effective, termMonths);
  const isClamped = anniversary.slice(-2) !== effective.slice(-2);
  return isClamped ? anniversary : addDays(anniversary, -1);
}

/** The last day of a term that began on `effectiveDate`; null if either is not set. */
export function expiresOn(term: { effectiveDate: Day | null; termMonths: number | null }): Day | null {
  const { effectiveDate, termMonths } = term;
  return effectiveDate === null || termMonths === null ? null : termEnd(effectiveDate, termMonths);
}
