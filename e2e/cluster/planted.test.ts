/** The slips that are planted in clusters keep up with the sources. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../server.ts";
import { planted } from "./planted.ts";

test("every slip for a cluster still applies to the sources, at one place, and changes something", () => {
  const lost = planted.flatMap(({ slip, edits }) =>
    edits
      .filter(({ file, find, replace }) => {
        return find === replace || readFileSync(join(root, file), "utf8").split(find).length !== 2;
      })
      .map(({ file }) => `${slip}: its text does not stand exactly once in ${file}`),
  );
  expect(lost).toEqual([]);
});
