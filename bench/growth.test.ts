import { expect, test } from "@playwright/test";
import { growthOf } from "./growth.ts";

/** An hour of samples, one every five seconds, of the memory that a process holds. */
const hour = (mbAt: (minute: number) => number) =>
  Array.from({ length: 720 }, (_, look) => ({ minute: look / 12, mb: mbAt(look / 12) }));

test("garbage collection and ten minutes of cache growth do not count as memory growth", () => {
  const sawtooth = (minute: number) => 300 + 150 * (minute % 1) - Math.max(0, 10 - minute) * 20;
  expect(Math.abs(growthOf(hour(sawtooth), 60))).toBeLessThan(0.05);
});

test("a leak beneath garbage collection is measured in MB per minute", () => {
  const leak = (minute: number) => 300 + 150 * (minute % 1) + 2 * minute;
  expect(growthOf(hour(leak), 60)).toBeCloseTo(2, 1);
});
