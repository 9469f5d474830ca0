import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { addDays, type Day, dayOf, expiresOn } from "#lib/core/dates.ts";
import { canMove, whyNot } from "#lib/core/lifecycle.ts";
import { closesObligations } from "#lib/obligations/lifecycle.ts";
import { advance, type ContractStatus, contractLifecycle, contractStatuses } from "./lifecycle.ts";

/** Rows: from. Columns: to, in the same order. p: a person may request it; s: the system may set it; b: both. */
const table: Record<ContractStatus, string> = {
  DRAFT: /*            */ ". p p p s p . . . p",
  IN_REVIEW: /*        */ "p . p p s p . . . p",
  NEGOTIATING: /*      */ "p p . p s p . . . p",
  APPROVED: /*         */ ". b p . s p . . . p",
  OUT_FOR_SIGNATURE: /**/ "s s s s . s . . . .",
  EXECUTED: /*         */ ". . . . . . b . p .",
  ACTIVE: /*           */ ". . . . . . . b p .",
  EXPIRED: /*          */ ". . . . . . p . p .",
  TERMINATED: /*       */ ". . . . . . . . . .",
  CANCELLED: /*        */ "p . . . . . . . . .",
};

for (const from of contractStatuses) {
  test(`a contract in ${from} allows exactly the transitions in the table`, () => {
    const row = table[from].split(" ");
    for (const [column, to] of contractStatuses.entries()) {
      const person = canMove(contractLifecycle, from, to, "person");
      const system = canMove(contractLifecycle, from, to, "system");
      const cell = person && system ? "b" : person ? "p" : system ? "s" : ".";
      expect(`${to} ${cell}`).toBe(`${to} ${row[column]}`);
    }
  });
}

test("a refused transition of a contract out for signature says to void the signature request first", () => {
  expect(whyNot(contractLifecycle, "OUT_FOR_SIGNATURE", "DRAFT")).toBe(
    "OUT_FOR_SIGNATURE cannot become DRAFT. Allowed from OUT_FOR_SIGNATURE: nothing. Void the signature request first.",
  );
});

test("only a cancelled or terminated contract cancels its obligations", () => {
  expect(contractStatuses.filter(closesObligations)).toEqual(["TERMINATED", "CANCELLED"]);
});

test("a contract without an effective date or a term never expires", () => {
  expect(expiresOn({ effectiveDate: "2026-01-01", termMonths: 12 })).toBe("2026-12-31");
  expect(expiresOn({ effectiveDate: null, termMonths: 12 })).toBeNull();
  expect(expiresOn({ effectiveDate: "2026-01-01", termMonths: null })).toBeNull();
});

type Contract = Parameters<typeof advance>[0];

const executed: Contract = {
  status: "EXECUTED",
  effectiveDate: "2026-01-01",
  termMonths: 12,
  autoRenews: false,
  renewalMonths: null,
};
const renewing: Contract = { ...executed, status: "ACTIVE", autoRenews: true, renewalMonths: 6 };

const activates = { kind: "status", from: "EXECUTED", to: "ACTIVE" };
const expires = { kind: "status", from: "ACTIVE", to: "EXPIRED" };

test("an executed contract becomes active on its effective date", () => {
  expect(advance(executed, "2025-12-31").steps).toEqual([]);
  expect(advance(executed, "2026-01-01")).toMatchObject({ status: "ACTIVE", steps: [activates] });
  expect(advance({ ...executed, effectiveDate: null }, "2026-01-01").steps).toEqual([]);
});

test("an active contract expires after the last day of its term, not on it", () => {
  const active: Contract = { ...executed, status: "ACTIVE" };
  expect(advance(active, "2026-12-31").steps).toEqual([]);
  expect(advance(active, "2027-01-01")).toMatchObject({ status: "EXPIRED", steps: [expires] });
  expect(advance({ ...active, termMonths: null }, "2099-01-01").steps).toEqual([]);
});

test("an executed contract whose term is long past becomes active and then expired", () => {
  expect(advance(executed, "2030-01-01")).toMatchObject({ status: "EXPIRED", steps: [activates, expires] });
});

test("the term of a renewing contract is extended until it covers today", () => {
  expect(advance(renewing, "2026-12-31").steps).toEqual([]);
  expect(advance(renewing, "2027-07-01")).toEqual({
    status: "ACTIVE",
    termMonths: 24,
    renewalMonths: 6,
    steps: [
      { kind: "renewal", from: 12, to: 18 },
      { kind: "renewal", from: 18, to: 24 },
    ],
  });
});

test("without renewal months, each renewal is as long as the first term", () => {
  const contract: Contract = { ...renewing, renewalMonths: null };
  const once = advance(contract, "2027-01-01");
  expect(once).toMatchObject({ termMonths: 24, renewalMonths: 12 });
  expect(advance({ ...contract, ...once }, "2028-01-01")).toMatchObject({
    termMonths: 36,
    renewalMonths: 12,
  });
  expect(advance(contract, "2026-12-31").renewalMonths).toBeNull();
});

test("a renewal of zero months expires the contract instead of renewing it forever", () => {
  expect(advance({ ...renewing, renewalMonths: 0 }, "2027-01-01").steps).toEqual([expires]);
});

test("of centuries of renewals, the last 120 are recorded one by one, and the earlier ones as one", () => {
  const monthly: Contract = { ...renewing, effectiveDate: "0001-01-01", termMonths: 1, renewalMonths: 1 };
  const { steps, ...changed } = advance(monthly, "2026-01-01");
  expect(changed).toEqual({ status: "ACTIVE", termMonths: 24_301, renewalMonths: 1 });
  expect(steps).toHaveLength(120);
  expect(steps.slice(0, 2)).toEqual([
    { kind: "renewal", from: 1, to: 24_182 },
    { kind: "renewal", from: 24_182, to: 24_183 },
  ]);
  // Seen again after the first step, as whoever writes the steps does, the rest is the same.
  expect(advance({ ...monthly, ...changed, termMonths: 24_182 }, "2026-01-01").steps).toEqual(steps.slice(1));
});

const contracts: fc.Arbitrary<Contract> = fc.record({
  status: fc.constantFrom(...contractStatuses),
  effectiveDate: fc.option(
    fc.date({ min: new Date("2023-01-01"), max: new Date("2026-12-31"), noInvalidDate: true }).map(dayOf),
  ),
  termMonths: fc.option(fc.integer({ min: 1, max: 36 })),
  autoRenews: fc.boolean(),
  renewalMonths: fc.option(fc.integer({ min: 1, max: 36 })),
});
const start: Day = "2025-01-01";
const laterDays = fc
  .array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 8 })
  .map((offsets) => offsets.sort((a, b) => a - b).map((offset) => addDays(start, offset)));

test("advancing a contract once after a long time gives the same result as advancing it often", () => {
  fc.assert(
    fc.property(contracts, laterDays, (contract, todays) => {
      const seen = [];
      let often = contract;
      for (const today of todays) {
        const { steps, ...changed } = advance(often, today);
        seen.push(...steps);
        often = { ...often, ...changed };
      }
      const { steps, ...changed } = advance(contract, todays.at(-1)!);
      expect({ ...contract, ...changed }).toEqual(often);
      expect(steps).toEqual(seen);
    }),
  );
});

test("time moves only executed and active contracts, and only by transitions that the system may make", () => {
  fc.assert(
    fc.property(contracts, laterDays, (contract, [today]) => {
      const { status, termMonths, steps } = advance(contract, today!);
      if (contract.status !== "EXECUTED" && contract.status !== "ACTIVE") expect(steps).toEqual([]);
      for (const step of steps) {
        if (step.kind === "status")
          expect(canMove(contractLifecycle, step.from, step.to, "system")).toBe(true);
      }
      const lastDay = expiresOn({ ...contract, termMonths });
      if (status === "ACTIVE" && lastDay !== null) expect(lastDay >= today!).toBe(true);
    }),
  );
});
