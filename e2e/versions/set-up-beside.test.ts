/** The tests of two versions are seldom run, so this checks that the lines of the set-up which they edit exist. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../server.ts";
import { setUpBeside } from "./set-up-beside.ts";

test("every line of the test set-up that the version tests replace exists exactly once", async () => {
  const edits = setUpBeside({ migrations: root, other: root });
  expect(edits.length).toBeGreaterThan(0);
  for (const { file, find } of edits) {
    const text = await readFile(join(root, file), "utf8");
    expect(text.split(find), find).toHaveLength(2);
  }
});
