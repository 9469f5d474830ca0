import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { addMonths, dayOf, midnight } from "#lib/core/dates.ts";
import { progressOf } from "./recurrence.ts";

const days = fc.date({ min: new Date("2000-01-01"), max: new Date("2050-12-31"), noInvalidDate: true });

test("occurrences completed by the previous release count as done up to the next date, which stays open", () => {
  fc.assert(
    fc.property(
      days.map(dayOf),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 40 }),
      (first, recurrenceMonths, completedCount) => {
        const at = (k: number) => midnight(addMonths(first, recurrenceMonths * k));
        const resolvedDate = at(completedCount);
        const row = { recurrenceMonths, completedCount, throughCount: null, resolvedDate };
        const { completedThrough, throughCount } = progressOf(row);
        expect(completedThrough! >= at(completedCount - 1)).toBe(true);
        expect(completedThrough! < resolvedDate).toBe(true);
        expect(throughCount).toBe(completedCount);
      },
    ),
  );
});

test("completions made without a date are counted from the first date on", () => {
  const row = { recurrenceMonths: 1, completedCount: 2, throughCount: null, resolvedDate: null };
  expect(progressOf(row)).toEqual({ completedThrough: null, throughCount: 0 });
  const dated = { ...row, throughCount: 0, resolvedDate: midnight("2026-03-01") };
  expect(progressOf(dated)).toEqual({ completedThrough: null, throughCount: 0 });
});
