import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

const lib = join(import.meta.dirname, "..");

test("no product code refers to the queue's private tables", () => {
  const naming = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter(
    (name) => /(?<!\.test)\.tsx?$/.test(name) && readFileSync(join(lib, name), "utf8").includes("_private_"),
  );
  expect(naming).toEqual([]);
});
