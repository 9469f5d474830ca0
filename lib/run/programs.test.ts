/** Programs that run in a process of their own are named by their path: no compiler notices when one has moved. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

const root = join(import.meta.dirname, "..", "..");
const named = /(?:join\(root, |projectPath\()((?:"[\w.-]+"(?:, )?)+),?\s*\)/g;
const modules = /parser(?:<[^>]*>)?\(\s*"((?:lib|prisma)\/[\w./-]+)"/g;

test("every program and sandbox module that is named by its path exists", () => {
  const sources = globSync("{bench,e2e,lib,prisma}/**/*.ts", { cwd: root }).map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  const programs = sources.flatMap((text) =>
    [...text.matchAll(named)].map(([, parts]) => JSON.parse(`[${parts}]`).join("/") as string),
  );
  const parsers = sources.flatMap((text) => [...text.matchAll(modules)].map(([, path]) => path!));
  expect(programs).toEqual(
    expect.arrayContaining(["prisma/demo/seed.ts", "lib/documents/sandbox/child-main.ts"]),
  );
  expect(parsers.length).toBeGreaterThan(2);
  const missing = [...programs, ...parsers].filter(
    (path) => path.endsWith(".ts") && !existsSync(join(root, path)),
  );
  expect(missing).toEqual([]);
});
