/** Runs single tests in a copy of the tree, and tells which passed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { escaped } from "../titles.ts";
import type { Mutant } from "./mutant.ts";
import type { Tree } from "./tree.ts";

interface Suite {
  suites?: Suite[];
  specs?: { title: string; ok: boolean; tests: { results: { status: string }[] }[] }[];
}

export interface Verdict {
  passed: Set<string>;
  failed: Set<string>;
  /** What the run printed. */
  said: string;
}

const longestMs = 15 * 60_000;

export async function runTests(
  { path }: Tree,
  tests: Mutant["caughtBy"][],
  { pages }: { pages: boolean },
): Promise<Verdict> {
  const report = join(path, "report.json");
  await rm(report, { force: true });
  const files = [...new Set(tests.map(({ file }) => file))];
  const titles = [...new Set(tests.map(({ title }) => ` ${escaped(title)}$`))];
  const cli = join("node_modules", "@playwright", "test", "cli.js");
  const child = spawn(
    join(path, "node_modules", ".bin", "node"),
    [cli, "test", "-c", "e2e", "--reporter=json", ...files, "-g", titles.join("|")],
    {
      cwd: path,
      env: { ...process.env, ...(pages ? {} : { API_ONLY: "1" }), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: longestMs,
    },
  );
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stderr.on("data", (chunk) => (said += chunk));
  await once(child, "close");
  const verdict: Verdict = { passed: new Set(), failed: new Set(), said };
  const text = await readFile(report, "utf8").catch(() => "{}");
  const { errors = [], ...suite } = JSON.parse(text);
  verdict.said += errors.map(({ message }: { message: string }) => message).join("\n");
  collect(suite, verdict);
  return verdict;
}

/** One that did not run (its file did not load, its server did not start) neither passed nor failed. */
function collect({ suites = [], specs = [] }: Suite, { passed, failed }: Verdict): void {
  for (const { title, ok, tests } of specs) {
    const statuses = tests.flatMap(({ results }) => results.map(({ status }) => status));
    if (!statuses.some((status) => status !== "skipped")) continue;
    (ok ? passed : failed).add(title);
  }
  for (const suite of suites) collect(suite, { passed, failed, said: "" });
}
