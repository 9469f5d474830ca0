/** Checks that README.md and docs/ are correct: links lead to existing files, and what they name exists. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { parseSettings } from "#lib/core/env.ts";
import { root } from "./server.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...globSync("docs/*.md", { cwd: root })];

/** Returns a document without its code blocks, where `[a](b)` and `# a` mean other things. */
const proseOf = (path: string) => read(path).replace(/^```.*?^```$/gms, "");

/** Returns a document's links to local files, each as a path from the project's folder, with the heading it names. */
function linksOf(path: string) {
  const targets = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", heading] = target.split("#");
      const to = file === "" ? path : relative(root, resolve(root, dirname(path), decodeURIComponent(file)));
      return { target, to, heading };
    });
}

/** Returns the anchors of a document's headings, as GitHub generates them. */
function headingsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The rows of the settings table in docs/operating.md. */
const rows = [...read("docs/operating.md").matchAll(/^\| (`[A-Z].*?) \| (.*?) ?\|/gm)].map(
  ([, names, fallback]) => ({
    names: [...names!.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!),
    fallback: fallback!,
  }),
);

test("README.md has at most 1,800 words", () => {
  expect(read("README.md").split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1800);
});

test("every local link in the documents leads to an existing file and heading", () => {
  const links = documents.flatMap((path) => linksOf(path).map((link) => ({ path, ...link })));
  expect(links.length).toBeGreaterThan(40);
  const dead = links.filter(
    ({ to, heading }) =>
      !existsSync(join(root, to)) || (heading !== undefined && !headingsOf(to).includes(heading)),
  );
  expect(dead.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
});

/** The files that docs/design.md tells its readers to create. */
const examples = [
  "app/api/v1/contracts/[id]/obligations/next/route.ts",
  "app/(member)/obligations/late/page.tsx",
  "components/obligations/late-page.tsx",
];

test("every file named in the documents exists", () => {
  const files = /`((?:app|bench|components|docs|e2e|lib|prisma)\/[\w./()[\]-]+)`/g;
  const named = documents.flatMap((path) =>
    [...proseOf(path).matchAll(files)].map(([, file]) => ({ path, file: file! })),
  );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(({ file }) => !examples.includes(file) && !existsSync(join(root, file)));
  expect(missing).toEqual([]);
});

test("every npm script named in the documents is in package.json", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = documents.flatMap((path) =>
    [...read(path).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, script]) => `${path}: ${script}`),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((one) => !(one.split(": ")[1]! in scripts))).toEqual([]);
});

test("docs/operating.md lists exactly the settings that exist", () => {
  const [, shape = ""] =
    /const Environment = z\.object\(\{\n(.*?)\n\}\);/s.exec(read("lib/core/env.ts")) ?? [];
  const settings = [...shape.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!);
  expect(settings.length).toBeGreaterThan(30);
  expect(rows.flatMap(({ names }) => names).sort()).toEqual(settings.sort());
});

test("the defaults in docs/operating.md match the code", () => {
  const parsed: Record<string, unknown> = parseSettings({});
  const plain = rows.filter(({ fallback }) => /^`[^`]+`$/.test(fallback) && !fallback.includes("PORT`"));
  expect(plain.length).toBeGreaterThan(15);
  for (const { names, fallback } of plain) {
    expect(names.map((name) => `${name}=\`${parsed[name]}\``)).toEqual([`${names[0]}=${fallback}`]);
  }
  for (const { names } of rows.filter(({ fallback }) => fallback === "")) {
    for (const name of names) expect(parsed[name] ?? "", name).toBe("");
  }
});

test("no source file cites a document that is not in the repository", () => {
  const folders = "{app,bench,components,e2e,lib,prisma}/**/*.{ts,tsx,css,prisma,sql}";
  const sources = globSync(folders, { cwd: root, exclude: (path) => path === "prisma/generated" });
  expect(sources.length).toBeGreaterThan(500);
  const cited = sources.flatMap((path) =>
    [...read(path).matchAll(/[\w/-]+\.md\b/g)].map(([document]) => ({ path, document })),
  );
  const isHere = (document: string) =>
    documents.some((path) => path === document || path.endsWith(`/${document}`));
  expect(cited.filter(({ document }) => !isHere(document))).toEqual([]);
});

test("README.md names every top-level folder, and no picture exceeds 150 kB", () => {
  const folders = globSync("*", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !["node_modules", "test-results", "playwright-report"].includes(name));
  const missing = folders.filter((name) => !read("README.md").includes(`[${name}/](${name})`));
  expect(missing).toEqual([]);
  const pictures = globSync("docs/pictures/*", { cwd: root });
  expect(pictures.length).toBeGreaterThan(1);
  const large = pictures.filter((path) => readFileSync(join(root, path)).length > 150_000);
  expect(large).toEqual([]);
});
