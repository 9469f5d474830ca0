import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { addMonths, type Day, dayOf } from "#lib/core/dates.ts";
import { anchorTypes, offsetDirections, offsetUnits } from "./lifecycle.ts";
import { type Anchors, resolve, type Schedule } from "./resolve.ts";

const onAnchor: Schedule = {
  anchorType: "EFFECTIVE_DATE",
  offsetValue: 0,
  offsetUnit: "DAY",
  offsetDirection: "AFTER",
  fixedDate: null,
  recurrenceMonths: null,
  completedThrough: null,
  completedSince: 0,
};
const unanchored: Anchors = { effectiveDate: null, executedAt: null, termMonths: null, autoRenews: false };
const contract: Anchors = { ...unanchored, effectiveDate: "2026-01-01", termMonths: 12 };

const basis = (schedule: Partial<Schedule>, anchors: Anchors = contract) =>
  resolve({ ...onAnchor, ...schedule }, anchors).resolutionBasis;

type Offset = [effective: Day, termMonths: number, value: number, unit: Schedule["offsetUnit"], due: Day];
const beforeExpiration: Offset[] = [
  ["2026-01-01", 12, 60, "DAY", "2026-11-01"],
  ["2026-01-01", 12, 90, "DAY", "2026-10-02"],
  ["2026-01-01", 12, 2, "MONTH", "2026-10-31"],
  ["2026-01-01", 12, 10, "BUSINESS_DAY", "2026-12-17"],
  ["2026-01-01", 12, 1, "WEEK", "2026-12-24"],
  ["2024-03-01", 48, 1, "YEAR", "2027-02-28"],
  ["2025-08-31", 6, 60, "DAY", "2025-12-30"],
  ["2026-03-15", 36, 90, "DAY", "2028-12-14"],
];
for (const [effectiveDate, termMonths, offsetValue, offsetUnit, due] of beforeExpiration) {
  test(`${offsetValue} ${offsetUnit} before the end of ${termMonths} months from ${effectiveDate} is ${due}`, () => {
    const schedule: Schedule = {
      ...onAnchor,
      anchorType: "EXPIRATION_DATE",
      offsetDirection: "BEFORE",
      offsetValue,
      offsetUnit,
    };
    expect(resolve(schedule, { ...contract, effectiveDate, termMonths }).resolvedDate).toBe(due);
  });
}

test("an offset after the anchor is added to it", () => {
  expect(
    basis({ anchorType: "FIXED_DATE", fixedDate: "2026-05-01", offsetValue: 5, offsetUnit: "BUSINESS_DAY" }),
  ).toBe("FIXED_DATE 2026-05-01 + 5 BUSINESS_DAY = 2026-05-08");
});

test("the resolution basis spells out the anchor, its origin, the offset and the result", () => {
  const renewing = { ...contract, autoRenews: true };
  const notice = { offsetValue: 60, offsetDirection: "BEFORE" } as const;
  expect(basis({ anchorType: "EXPIRATION_DATE", ...notice })).toBe(
    "EXPIRATION_DATE 2026-12-31 (effective 2026-01-01 + 12 months) - 60 DAY = 2026-11-01",
  );
  expect(basis({ anchorType: "RENEWAL_DATE", ...notice }, renewing)).toBe(
    "RENEWAL_DATE 2027-01-01 (the day after 2026-12-31, effective 2026-01-01 + 12 months) - 60 DAY = 2026-11-02",
  );
  expect(
    basis(
      { anchorType: "EXECUTION_DATE", offsetValue: 2, offsetUnit: "WEEK" },
      { ...contract, executedAt: "2025-12-20" },
    ),
  ).toBe("EXECUTION_DATE 2025-12-20 + 2 WEEK = 2026-01-03");
  expect(basis({ anchorType: "EVENT", fixedDate: "2026-02-10", offsetValue: 1, offsetUnit: "MONTH" })).toBe(
    "EVENT 2026-02-10 + 1 MONTH = 2026-03-10",
  );
});

test("without an offset or a completed occurrence, the resolution basis is the anchor", () => {
  expect(basis({})).toBe("EFFECTIVE_DATE 2026-01-01");
  expect(basis({ recurrenceMonths: 3 })).toBe("EFFECTIVE_DATE 2026-01-01");
  expect(basis({ anchorType: "EXPIRATION_DATE" }, { ...contract, termMonths: 1 })).toBe(
    "EXPIRATION_DATE 2026-01-31 (effective 2026-01-01 + 1 month)",
  );
});

for (const anchorType of anchorTypes) {
  test(`an obligation waits for ${anchorType} while that date is unknown`, () => {
    const schedule: Schedule = {
      ...onAnchor,
      anchorType,
      offsetValue: 10,
      recurrenceMonths: 1,
      completedSince: 2,
    };
    expect(resolve(schedule, unanchored)).toEqual({
      resolvedDate: null,
      resolutionBasis: `Waiting for ${anchorType}`,
    });
  });
}

test("the expiration date needs both the effective date and the term", () => {
  expect(basis({ anchorType: "EXPIRATION_DATE" }, { ...contract, termMonths: null })).toBe(
    "Waiting for EXPIRATION_DATE",
  );
  expect(basis({ anchorType: "EXPIRATION_DATE" }, { ...contract, effectiveDate: null })).toBe(
    "Waiting for EXPIRATION_DATE",
  );
});

test("a contract that does not renew has no renewal date", () => {
  expect(basis({ anchorType: "RENEWAL_DATE" })).toBe("Waiting for RENEWAL_DATE");
});

test("a fixed date is ignored unless the anchor is FIXED_DATE or EVENT", () => {
  const anchors = { ...contract, executedAt: "2025-12-20" as Day, autoRenews: true };
  const dates = anchorTypes.map((anchorType) => [
    anchorType,
    resolve({ ...onAnchor, anchorType, fixedDate: "2030-01-01" }, anchors).resolvedDate,
  ]);
  expect(Object.fromEntries(dates)).toEqual({
    EFFECTIVE_DATE: "2026-01-01",
    EXECUTION_DATE: "2025-12-20",
    EXPIRATION_DATE: "2026-12-31",
    RENEWAL_DATE: "2027-01-01",
    FIXED_DATE: "2030-01-01",
    EVENT: "2030-01-01",
  });
});

test("a quarterly obligation from the 31st stays at month ends without drifting", () => {
  const quarterly: Schedule = {
    ...onAnchor,
    anchorType: "FIXED_DATE",
    fixedDate: "2026-01-31",
    recurrenceMonths: 3,
  };
  const dates = [0, 1, 2, 3, 4].map(
    (completedSince) => resolve({ ...quarterly, completedSince }, contract).resolvedDate,
  );
  expect(dates).toEqual(["2026-01-31", "2026-04-30", "2026-07-31", "2026-10-31", "2027-01-31"]);
});

test("a recurrence counts from the anchor with its offset applied", () => {
  const schedule: Partial<Schedule> = {
    anchorType: "EXPIRATION_DATE",
    offsetValue: 2,
    offsetUnit: "MONTH",
    offsetDirection: "BEFORE",
  };
  expect(basis({ ...schedule, recurrenceMonths: 4, completedSince: 1 })).toBe(
    "EXPIRATION_DATE 2026-12-31 (effective 2026-01-01 + 12 months) - 2 MONTH + 4 months x 1 = 2027-02-28",
  );
  expect(basis({ ...schedule, recurrenceMonths: 1, completedSince: 2 })).toBe(
    "EXPIRATION_DATE 2026-12-31 (effective 2026-01-01 + 12 months) - 2 MONTH + 1 month x 2 = 2026-12-31",
  );
});

test("completions do not move the date of an obligation that does not recur", () => {
  expect(basis({ completedSince: 3 })).toBe("EFFECTIVE_DATE 2026-01-01");
});

const days = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2050-12-31"), noInvalidDate: true })
  .map(dayOf);
const schedules: fc.Arbitrary<Schedule> = fc.record({
  anchorType: fc.constantFrom(...anchorTypes),
  offsetValue: fc.integer({ min: 0, max: 3650 }),
  offsetUnit: fc.constantFrom(...offsetUnits),
  offsetDirection: fc.constantFrom(...offsetDirections),
  fixedDate: fc.option(days),
  recurrenceMonths: fc.option(fc.integer({ min: 1, max: 120 })),
  completedThrough: fc.option(days),
  completedSince: fc.integer({ min: 0, max: 40 }),
});
const anchorings: fc.Arbitrary<Anchors> = fc.record({
  effectiveDate: fc.option(days),
  executedAt: fc.option(days),
  termMonths: fc.option(fc.integer({ min: 1, max: 120 })),
  autoRenews: fc.boolean(),
});

test("every resolution basis ends with the resolved date, or names the anchor that it waits for", () => {
  fc.assert(
    fc.property(schedules, anchorings, (schedule, anchors) => {
      const { resolvedDate, resolutionBasis } = resolve(schedule, anchors);
      if (resolvedDate === null) expect(resolutionBasis).toBe(`Waiting for ${schedule.anchorType}`);
      else expect(resolutionBasis.replace(/ \(.*?\)/, "").endsWith(` ${resolvedDate}`)).toBe(true);
    }),
  );
});

test("the k-th occurrence is k intervals after the first, whatever the dates between", () => {
  fc.assert(
    fc.property(schedules, anchorings, (schedule, anchors) => {
      const undated = { ...schedule, completedThrough: null };
      const first = resolve({ ...undated, completedSince: 0 }, anchors).resolvedDate;
      fc.pre(first !== null);
      const months = (schedule.recurrenceMonths ?? 0) * schedule.completedSince;
      expect(resolve(undated, anchors).resolvedDate).toBe(addMonths(first, months));
    }),
  );
});

test("the next occurrence is the first after the last completed one, so none is skipped or repeated", () => {
  fc.assert(
    fc.property(schedules, anchorings, (schedule, anchors) => {
      const at = (k: number) =>
        resolve({ ...schedule, completedThrough: null, completedSince: k }, anchors).resolvedDate;
      const { completedThrough: through, recurrenceMonths } = schedule;
      fc.pre(at(0) !== null && through !== null && recurrenceMonths !== null);
      let k = 0;
      while (at(k)! <= through) k++;
      expect(resolve({ ...schedule, completedSince: 0 }, anchors).resolvedDate).toBe(at(k));
    }),
  );
});

test("a renewal, which moves the end of the term, neither skips nor repeats a notice", () => {
  const notice: Schedule = {
    ...onAnchor,
    anchorType: "EXPIRATION_DATE",
    offsetValue: 60,
    offsetDirection: "BEFORE",
    recurrenceMonths: 12,
    completedThrough: "2026-11-01",
  };
  expect(basis(notice)).toBe(
    "EXPIRATION_DATE 2026-12-31 (effective 2026-01-01 + 12 months) - 60 DAY + 12 months x 1 = 2027-11-01",
  );
  expect(basis(notice, { ...contract, termMonths: 24 })).toBe(
    "EXPIRATION_DATE 2027-12-31 (effective 2026-01-01 + 24 months) - 60 DAY = 2027-11-01",
  );
});

test("after its fixed date changes, a recurring obligation continues after the last completed date", () => {
  const monthly: Schedule = {
    ...onAnchor,
    anchorType: "FIXED_DATE",
    recurrenceMonths: 1,
    completedThrough: "2026-11-30",
  };
  const next = (fixedDate: Day) => resolve({ ...monthly, fixedDate }, contract).resolvedDate;
  expect(["2026-06-30", "2027-01-15", "2026-12-01", "2026-01-15"].map((day) => next(day as Day))).toEqual([
    "2026-12-30",
    "2027-01-15",
    "2026-12-01",
    "2026-12-15",
  ]);
  // A clamped end of a month is not confused with the day it replaces.
  expect(
    resolve({ ...monthly, fixedDate: "2026-01-31", completedThrough: "2026-02-28" }, contract).resolvedDate,
  ).toBe("2026-03-31");
});
