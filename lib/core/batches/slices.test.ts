import { setImmediate } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { mapInSlices } from "./slices.ts";

const byItself = { weightOf: (item: number) => item, most: 3 };

test("items are mapped in order, and others have their turn before a slice weighs too much", async () => {
  const seen: (number | string)[] = [];
  const mapped = mapInSlices([1, 2, 1, 5, 3, 1], byItself, (item, index) => {
    seen.push(item);
    return `${index}: ${item}`;
  });
  let isOver = false;
  const others = (async () => {
    for (; !isOver; await setImmediate()) seen.push("others");
  })();
  expect(await mapped).toEqual(["0: 1", "1: 2", "2: 1", "3: 5", "4: 3", "5: 1"]);
  isOver = true;
  await others;
  const slices = seen.join(" ").split(/(?: ?others ?)+/);
  expect(slices.filter((slice) => slice !== "")).toEqual(["1 2", "1", "5", "3", "1"]);
});

test("what is light enough is mapped in one go", async () => {
  const seen: unknown[] = [];
  const mapped = mapInSlices([1, 1, 1], byItself, (item) => seen.push(item));
  expect(seen).toEqual([1, 1, 1]);
  await mapped;
});
