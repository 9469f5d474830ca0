/** The list of planted slips keeps up with the sources: what has moved on is found here, without running any. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../server.ts";
import { hasTest } from "../titles.ts";
import { mutants } from "./all.ts";

test("every mutation still applies to the sources at exactly one place", () => {
  const lost = mutants.flatMap(({ slip, edits }) =>
    edits
      .filter(({ file, find }) => readFileSync(join(root, file), "utf8").split(find).length !== 2)
      .map(({ file }) => `${slip}: its text does not stand exactly once in ${file}`),
  );
  expect(lost).toEqual([]);
});

test("every mutation changes something and has a unique name", () => {
  expect(new Set(mutants.map(({ slip }) => slip)).size).toBe(mutants.length);
  for (const { slip, edits } of mutants) {
    expect(edits.length, slip).toBeGreaterThan(0);
    for (const { find, replace } of edits) expect(replace, slip).not.toBe(find);
  }
});

test("every mutation names an existing test", () => {
  const missing = mutants.filter(({ caughtBy: { file, title } }) => !hasTest(file, title));
  expect(missing.map(({ slip, caughtBy }) => `${slip}: ${caughtBy.file}: ${caughtBy.title}`)).toEqual([]);
});
