import { expect, test } from "@playwright/test";
import { nextKeys } from "./row-keys.ts";

const none = new Map<string, number>();

test("what comes new is drawn in the rows of what has gone, in their order", () => {
  const first = nextKeys(none, ["a", "b", "c"]);
  expect([...nextKeys(first, ["d", "e", "f"]).values()]).toEqual([...first.values()]);
});

test("what stays keeps its row, wherever it comes to stand, and no two share one", () => {
  const first = nextKeys(none, ["a", "b", "c"]);
  const next = nextKeys(first, ["new", "c", "other", "a", "more"]);
  expect([next.get("a"), next.get("c")]).toEqual([first.get("a"), first.get("c")]);
  expect(new Set(next.values()).size).toBe(5);
  expect(next.get("new")).toBe(first.get("b"));
});
