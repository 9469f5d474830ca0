import { expect, test } from "@playwright/test";
import { canMove, type Lifecycle, movesFrom, whyNot } from "./lifecycle.ts";

const door: Lifecycle<"OPEN" | "SHUT" | "LOCKED" | "GONE"> = {
  OPEN: { to: ["SHUT", "GONE"] },
  SHUT: { to: ["OPEN"], system: ["LOCKED"] },
  LOCKED: { to: [], system: ["SHUT"], why: "Wait for the morning." },
  GONE: { to: [] },
};

test("a person can make only the transitions listed for people", () => {
  expect(canMove(door, "OPEN", "SHUT")).toBe(true);
  expect(canMove(door, "SHUT", "LOCKED")).toBe(false);
  expect(movesFrom(door, "LOCKED")).toEqual([]);
});

test("the system can make only the transitions listed for the system", () => {
  expect(canMove(door, "SHUT", "LOCKED", "system")).toBe(true);
  expect(canMove(door, "SHUT", "OPEN", "system")).toBe(false);
  expect(movesFrom(door, "OPEN", "system")).toEqual([]);
});

test("a refusal lists the allowed transitions, and the reason if the state has one", () => {
  expect(whyNot(door, "OPEN", "LOCKED")).toBe("OPEN cannot become LOCKED. Allowed from OPEN: SHUT, GONE.");
  expect(whyNot(door, "SHUT", "SHUT")).toBe("The status is already SHUT. Allowed from SHUT: OPEN.");
  expect(whyNot(door, "GONE", "OPEN")).toBe("GONE cannot become OPEN. Allowed from GONE: nothing.");
  expect(whyNot(door, "LOCKED", "OPEN")).toBe(
    "LOCKED cannot become OPEN. Allowed from LOCKED: nothing. Wait for the morning.",
  );
});
