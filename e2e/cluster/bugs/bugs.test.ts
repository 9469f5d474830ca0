/** Checks without a cluster that the planted bugs still apply to the sources. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../../server.ts";
import { bugs, fourOf, fromSources } from "./all.ts";

test("every planted bug still applies to the sources at exactly one place, together with all others", () => {
  const texts = new Map<string, string>();
  const lost: string[] = [];
  for (const { file, find, replace } of [...fromSources, ...bugs.flatMap(({ edits }) => edits)]) {
    const parts = (texts.get(file) ?? readFileSync(join(root, file), "utf8")).split(find);
    if (parts.length !== 2) lost.push(`${file}: ${find}`);
    texts.set(file, parts.join(replace));
  }
  expect(lost).toEqual([]);
});

test("there are 16 planted bugs, each with its own switch, and four consecutive seeds cover all of them", () => {
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(16);
  for (const { name, edits } of bugs) {
    expect(edits.map(({ replace }) => replace).join(), name).toContain(`PLANTED === ${JSON.stringify(name)}`);
  }
  for (const seed of [0, 11]) {
    const turns = [0, 1, 2, 3].flatMap((turn) => fourOf(seed + turn));
    expect(turns).toHaveLength(16);
    expect(new Set(turns)).toEqual(new Set(bugs));
  }
});
