import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { canMove, movesFrom, whyNot } from "#lib/core/lifecycle.ts";
import {
  canRequest,
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
  test(`a person can request exactly these transitions from ${from}: ${askable[from].join(", ") || "none"}`, () => {
    const allowed = obligationStatuses.filter((to) => canRequest(from, to));
    expect(new Set(allowed)).toEqual(new Set(askable[from]));
  });
}

test("the system can move an open obligation to any other open status, and a closed one to none", () => {
  for (const from of openStatuses) {
    for (const to of openStatuses) expect(canMove(obligationLifecycle, from, to, "system")).toBe(from !== to);
  }
  for (const from of ["COMPLETED", "WAIVED", "CANCELLED"] as const) {
    expect(movesFrom(obligationLifecycle, from, "system")).toEqual([]);
  }
});

test("the system can cancel suggested and open obligations, and a person only suggested ones", () => {
  const ends = obligationStatuses.filter((from) => canMove(obligationLifecycle, from, "CANCELLED", "system"));
  expect(ends).toEqual(["SUGGESTED", ...openStatuses]);
  expect(obligationStatuses.filter((from) => canRequest(from, "CANCELLED"))).toEqual(["SUGGESTED"]);
});

test("opening an obligation that is already open is refused with the reason", () => {
  expect(whyNot(obligationLifecycle, "DUE", "UPCOMING")).toBe(
    "DUE cannot become UPCOMING. Allowed from DUE: COMPLETED, WAIVED. " +
      "An open obligation changes between PENDING_ANCHOR, UPCOMING, DUE and OVERDUE by its date alone.",
  );
});

test("an open obligation is due from 30 days before its date, and overdue after it", () => {
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
