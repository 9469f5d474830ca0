/** Months as calendars show them: in whole weeks from Monday. Days are in UTC, like those of obligations. */
import { dayWords } from "#components/ui/time.tsx";
import { addDays, addMonths, type Day } from "#lib/core/dates.ts";

/** Such as `2026-11`. */
export type Month = `${number}-${number}`;

export const monthOf = (day: string): Month => day.slice(0, 7) as Month;

export const firstOf = (month: Month): Day => `${month}-01` as Day;

export const moveMonth = (month: Month, by: number): Month => monthOf(addMonths(firstOf(month), by));

/** Returns the day of the week; Monday is 0. */
const weekdayOf = (day: Day): number => (new Date(day).getUTCDay() + 6) % 7;

/** Returns the weeks of a month's page: always six, so that its height does not change between months. */
export function weeksOf(month: Month): Day[][] {
  const first = firstOf(month);
  const start = addDays(first, -weekdayOf(first));
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => addDays(start, week * 7 + weekday)),
  );
}

/** Returns the day that a navigation key moves to, or null for other keys. */
export function dayForKey(key: string, day: Day): Day | null {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -7);
    case "ArrowDown":
      return addDays(day, 7);
    case "Home":
      return addDays(day, -weekdayOf(day));
    case "End":
      return addDays(day, 6 - weekdayOf(day));
    case "PageUp":
      return addMonths(day, -1);
    case "PageDown":
      return addMonths(day, 1);
    default:
      return null;
  }
}

export const monthText = (month: Month, locale: string) =>
  dayWords(firstOf(month), locale, { month: "long", year: "numeric" });

/** Formats `Monday 3 March 2031`, without the comma that some versions of ICU put after the weekday. */
export const dayText = (day: string, locale: string) =>
  dayWords(day, locale, { weekday: "long", day: "numeric", month: "long", year: "numeric" }).replace(
    /^(\p{L}+),/u,
    "$1",
  );
