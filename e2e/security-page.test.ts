import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "./server.ts";
import { hasTest } from "./titles.ts";

const text = readFileSync(join(root, "docs", "security.md"), "utf8");
const cited = [...text.matchAll(/^ {2}- `([^`]+)`: (.+)$/gm)].map(([, file, title]) => ({
  file: file!,
  title: title!,
}));

test("every test cited in docs/security.md exists in the cited file", () => {
  expect(cited.length).toBeGreaterThan(30);
  expect(cited.filter(({ file, title }) => !hasTest(file, title))).toEqual([]);
});

test("every promise in docs/security.md cites a test", () => {
  const promises = text.slice(text.indexOf("## What is promised"), text.indexOf("## What is left to you"));
  const [, ...items] = promises.split(/^- /m);
  expect(items.length).toBeGreaterThan(20);
  expect(items.filter((item) => !/^ {2}- `/m.test(item))).toEqual([]);
});
