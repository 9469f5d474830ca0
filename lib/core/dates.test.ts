import { expect, test } from "@playwright/test";
import fc from "fast-check";
import {
  addBusinessDays,
  addDays,
  addMonths,
  addYears,
  type Day,
  dayOf,
  daysBetween,
  midnight,
  termEnd,
} from "./dates.ts";

const days = fc
  .date({ min: new Date("1896-01-01"), max: new Date("2104-12-31"), noInvalidDate: true })
  .map(dayOf);

const leapDays = fc.integer({ min: 1904, max: 2096 }).map((year) => `${year - (year % 4)}-02-29` as Day);
const monthEnds = days.map((day) => addDays(addMonths(`${day.slice(0, 8)}01` as Day, 1), -1));
/** Any day, with extra weight on those that calendar bugs tend to hit. */
const anyDay = fc.oneof(days, leapDays, monthEnds);

const monthNumber = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
const dayOfMonth = (day: Day) => Number(day.slice(8));
const lastDayOfMonth = (day: Day) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
const isWeekend = (day: Day) => [0, 6].includes(midnight(day).getUTCDay());

test("a day is the UTC calendar day, whatever the time", () => {
  expect(dayOf(new Date("2026-01-01T23:59:59.999Z"))).toBe("2026-01-01");
  expect(dayOf(new Date("2026-01-01T23:30:00-02:00"))).toBe("2026-01-02");
  expect(midnight("2026-01-01").toISOString()).toBe("2026-01-01T00:00:00.000Z");
  fc.assert(fc.property(anyDay, (day) => expect(dayOf(midnight(day))).toBe(day)));
});

test("date arithmetic stops at the first and the last supported day instead of leaving the range", () => {
  expect(addYears("2026-01-01", 9000)).toBe("9999-12-31");
  expect(addYears("2026-01-01", -3650)).toBe("0001-01-01");
  expect(addYears("0104-02-29", -50)).toBe("0054-02-28");
});

test("daysBetween counts exactly the days that addDays adds", () => {
  const counts = fc.integer({ min: -4000, max: 4000 });
  fc.assert(
    fc.property(anyDay, counts, (day, count) => expect(daysBetween(day, addDays(day, count))).toBe(count)),
  );
});

test("adding months keeps the day of the month, or takes the last day of a shorter month", () => {
  expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
  expect(addMonths("2024-01-31", 1)).toBe("2024-02-29");
  expect(addMonths("2026-12-31", -2)).toBe("2026-10-31");
  expect(addYears("2024-02-29", 1)).toBe("2025-02-28");
  expect(addYears("2024-02-29", 4)).toBe("2028-02-29");
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -1200, max: 1200 }), (day, months) => {
      const moved = addMonths(day, months);
      expect(monthNumber(moved) - monthNumber(day)).toBe(months);
      expect(dayOfMonth(moved)).toBe(Math.min(dayOfMonth(day), lastDayOfMonth(moved)));
    }),
  );
});

test("business days skip Saturdays and Sundays", () => {
  expect(addBusinessDays("2026-12-31", -10)).toBe("2026-12-17");
  expect(addBusinessDays("2026-05-01", 5)).toBe("2026-05-08");
});

test("from a weekend, one business day forward is Monday, one back is Friday, and zero stays", () => {
  for (const day of ["2026-05-02", "2026-05-03"] as const) {
    expect(addBusinessDays(day, 1)).toBe("2026-05-04");
    expect(addBusinessDays(day, -1)).toBe("2026-05-01");
    expect(addBusinessDays(day, 0)).toBe(day);
  }
});

test("adding business days lands on a weekday, with exactly that many weekdays passed", () => {
  const counts = fc.integer({ min: -60, max: 60 }).filter((count) => count !== 0);
  fc.assert(
    fc.property(anyDay, counts, (day, count) => {
      const landed = addBusinessDays(day, count);
      const step = Math.sign(count);
      let weekdays = 0;
      for (let passed = day; passed !== landed; ) {
        passed = addDays(passed, step);
        if (!isWeekend(passed)) weekdays += step;
      }
      expect(isWeekend(landed)).toBe(false);
      expect(weekdays).toBe(count);
    }),
  );
});

test("adding business days to a weekday and subtracting them again returns to it", () => {
  const weekdays = anyDay.filter((day) => !isWeekend(day));
  fc.assert(
    fc.property(weekdays, fc.integer({ min: -3650, max: 3650 }), (day, count) => {
      expect(addBusinessDays(addBusinessDays(day, count), -count)).toBe(day);
    }),
  );
});

const terms: [effective: Day, months: number, end: Day][] = [
  ["2026-01-01", 12, "2026-12-31"],
  ["2024-02-29", 12, "2025-02-28"],
  ["2024-02-29", 48, "2028-02-28"],
  ["2026-01-31", 1, "2026-02-28"],
  ["2024-01-31", 1, "2024-02-29"],
  ["2025-08-31", 6, "2026-02-28"],
  ["2026-03-15", 36, "2029-03-14"],
];
for (const [effective, months, end] of terms) {
  test(`a term of ${months} months from ${effective} ends on ${end}`, () => {
    expect(termEnd(effective, months)).toBe(end);
  });
}

test("a term ends the day before its anniversary, or at the month's end if there is no such day", () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 600 }), (effective, months) => {
      const end = termEnd(effective, months);
      const endMonth = addMonths(`${effective.slice(0, 8)}01` as Day, months);
      const hasAnniversary = dayOfMonth(effective) <= lastDayOfMonth(endMonth);
      const expected = hasAnniversary
        ? addDays(endMonth, dayOfMonth(effective) - 2)
        : addDays(endMonth, lastDayOfMonth(endMonth) - 1);
      expect(end).toBe(expected);
    }),
  );
});

test("a term that is a month longer ends later", () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 600 }), (effective, months) => {
      expect(termEnd(effective, months + 1) > termEnd(effective, months)).toBe(true);
    }),
  );
});
