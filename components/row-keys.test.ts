import { expect, test } from "@playwright/test";
import { nextKeys } from "./row-keys.ts";

const none = new Map<string, number>();

test("new items reuse the rows of removed items, in order", () => {
  const first = nextKeys(none, ["a", "b", "c"]);
  expect([...nextKeys(first, ["d", "e", "f"]).values()]).toEqual([...first.values()]);
});

test("an item that stays keeps its row wherever it moves, and no two items share a row", () => {
  const first = nextKeys(none, ["a", "b", "c"]);
  const next = nextKeys(first, ["new", "c", "other", "a", "more"]);
  expect([next.get("a"), next.get("c")]).toEqual([first.get("a"), first.get("c")]);
  expect(new Set(next.values()).size).toBe(5);
  expect(next.get("new")).toBe(first.get("b"));
});
