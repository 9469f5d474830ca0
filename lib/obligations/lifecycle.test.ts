import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { canMove, movesFrom, whyNot } from "#lib/core/lifecycle.ts";
import {
  canAsk,
  type ObligationStatus,
  obligationLifecycle,
  obligationStatuses,
  openStatus,
  openStatuses,
} from "./lifecycle.ts";

const askable: Record<ObligationStatus, ObligationStatus[]> = {
  SUGGESTED: ["UPCOMING", "COMPLETED", "WAIVED", "CANCELLED"],
  PENDING_ANCHOR: ["COMPLETED", "WAIVED"],
  UPCOMING: ["COMPLETED", "WAIVED"],
  DUE: ["COMPLETED", "WAIVED"],
  OVERDUE: ["COMPLETED", "WAIVED"],
  COMPLETED: ["UPCOMING"],
  WAIVED: ["UPCOMING", "COMPLETED"],
  CANCELLED: [],
};

for (const from of obligationStatuses) {
  test(`of ${from} a person may ask for ${askable[from].join(", ") || "nothing"} only`, () => {
    const allowed = obligationStatuses.filter((to) => canAsk(from, to));
    expect(new Set(allowed)).toEqual(new Set(askable[from]));
  });
}

test("time and anchors move an open obligation between all open statuses, and closed ones not at all", () => {
  for (const from of openStatuses) {
    for (const to of openStatuses) expect(canMove(obligationLifecycle, from, to, "system")).toBe(from !== to);
  }
  for (const from of ["COMPLETED", "WAIVED", "CANCELLED"] as const) {
    expect(movesFrom(obligationLifecycle, from, "system")).toEqual([]);
  }
});

test("whatever is suggested or open ends with its contract; a person ends only what is suggested, by rejecting it", () => {
  const ends = obligationStatuses.filter((from) => canMove(obligationLifecycle, from, "CANCELLED", "system"));
  expect(ends).toEqual(["SUGGESTED", ...openStatuses]);
  expect(obligationStatuses.filter((from) => canAsk(from, "CANCELLED"))).toEqual(["SUGGESTED"]);
});

test("opening what is open already is refused with the reason", () => {
  expect(whyNot(obligationLifecycle, "DUE", "UPCOMING")).toBe(
    "DUE cannot become UPCOMING. Allowed from DUE: COMPLETED, WAIVED. " +
      "An open obligation changes between PENDING_ANCHOR, UPCOMING, DUE and OVERDUE by its date alone.",
  );
});

test("an open obligation is due from thirty days before its day, and overdue after it", () => {
  const today = "2026-01-31";
  expect(openStatus(null, today)).toBe("PENDING_ANCHOR");
  expect(openStatus("2026-03-03", today)).toBe("UPCOMING");
  expect(openStatus("2026-03-02", today)).toBe("DUE");
  expect(openStatus("2026-01-31", today)).toBe("DUE");
  expect(openStatus("2026-01-30", today)).toBe("OVERDUE");
});

test("as days pass, an open obligation goes from upcoming to due to overdue and never back", () => {
  const days = fc
    .date({ min: new Date("2000-01-01"), max: new Date("2050-01-01"), noInvalidDate: true })
    .map(dayOf);
  const urgency = ["UPCOMING", "DUE", "OVERDUE"];
  fc.assert(
    fc.property(days, fc.integer({ min: -60, max: 60 }), (due, offset) => {
      const today = addDays(due, offset);
      const now = urgency.indexOf(openStatus(due, today));
      const tomorrow = urgency.indexOf(openStatus(due, addDays(today, 1)));
      expect(tomorrow).toBeGreaterThanOrEqual(now);
    }),
  );
});
