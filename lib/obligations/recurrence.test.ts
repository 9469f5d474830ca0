import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { addMonths, dayOf, midnight } from "#lib/core/dates.ts";
import { progressOf } from "./recurrence.ts";

const days = fc.date({ min: new Date("2000-01-01"), max: new Date("2050-12-31"), noInvalidDate: true });

test("what a version before completed is done up to its next date, and that date is not", () => {
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

test("completions while there was no date are counted from the first date on", () => {
  const row = { recurrenceMonths: 1, completedCount: 2, throughCount: null, resolvedDate: null };
  expect(progressOf(row)).toEqual({ completedThrough: null, throughCount: 0 });
  const dated = { ...row, throughCount: 0, resolvedDate: midnight("2026-03-01") };
  expect(progressOf(dated)).toEqual({ completedThrough: null, throughCount: 0 });
});
