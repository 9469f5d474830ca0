import { expect, test } from "@playwright/test";
import { inReadingOrder } from "./reading-order.ts";

const at = (name: string, pageIndex: number, yPct: number, xPct: number) => ({ name, pageIndex, yPct, xPct });
const names = (fields: ReturnType<typeof at>[]) =>
  inReadingOrder(fields)
    .map(({ name }) => name)
    .join("");

test("fields are ordered by page, then by line, then from left to right", () => {
  const fields = [at("d", 1, 5, 10), at("b", 0, 10, 60), at("a", 0, 11, 10), at("c", 0, 20, 5)];
  expect(names(fields)).toBe("abcd");
});

test("fields placed like a staircase are ordered the same whatever their input order", () => {
  const [a, b, c, d] = [at("a", 0, 0, 30), at("b", 0, 1, 20), at("c", 0, 2, 10), at("d", 0, 3, 0)] as const;
  for (const order of [
    [a, b, c, d],
    [d, c, b, a],
    [b, d, a, c],
    [c, a, d, b],
  ])
    expect(names(order)).toBe("badc");
});
