/** The protocol's own conformance suite, run against the assistant server with the fixtures that the suite needs. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "../fixtures.ts";
import { freePort, node, root } from "../server.ts";

const suite = join(root, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

/**
 * Features that are not offered, so their scenarios fail; one that passes fails the run. The suite runs extensions and
 * drafts (tasks, arguments in headers) without scoring them.
 */
const leftOut = {
  "2025-11-25": {
    "log messages to clients": ["logging-set-level", "tools-call-with-logging"],
    "completion of arguments": ["completion-complete"],
    "a model or a form of the client's": [
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
    ],
    "news of resources": ["resources-subscribe", "resources-unsubscribe"],
    sessions: ["server-sse-multiple-streams"],
    "progress: nothing takes long, and answers are JSON": ["tools-call-with-progress"],
  },
  "2026-07-28": {
    "completion of arguments": ["completion-complete"],
    "a model or a form of the client's": [
      "basic-elicitation",
      "basic-sampling",
      "basic-list-roots",
      "request-state",
      "multiple-input-requests",
      "multi-round",
      "non-tool-request",
      "result-type",
      "tampered-state",
      "capability-check",
      "missing-input-response",
      "validate-input",
    ].map((name) => `input-required-result-${name}`),
  },
};

for (const [revision, reasons] of Object.entries(leftOut)) {
  test(`the MCP conformance suite for revision ${revision} passes, except for features not offered`, async ({
    workspace,
  }) => {
    await workspace.contract();
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const server = spawn(node, [join(root, "e2e", "conformance-server.ts")], {
      env: { ...process.env, PORT: port, BASE_URL: url, KEY: workspace.key },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(server.stdout, "data");
      const results = await run(revision, `${url}/mcp`, Object.values(reasons).flat());
      expect(results.length).toBeGreaterThan(30);
      for (const name of ["tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"]) {
        expect(results).toContain(name);
      }
    } finally {
      server.kill();
    }
  });
}

/** Runs the scenarios that a revision requires; returns which ones ran. */
async function run(revision: string, url: string, expected: string[]): Promise<string[]> {
  const folder = test.info().outputPath("results");
  const baseline = test.info().outputPath("left-out.yml");
  await writeFile(baseline, ["server:", ...expected.map((name) => `  - ${name}`)].join("\n"));
  const options = ["--requirements", revision, "--expected-failures", baseline, "-o", folder];
  const done = await promisify(execFile)(node, [suite, "server", "--url", url, ...options], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error) => error);
  const summary = String(done.stdout).split("=== SUMMARY ===")[1];
  expect(done.code, `${summary}\n${done.stderr}`).toBeUndefined();
  const folders = await readdir(folder);
  const checked = await Promise.all(
    folders.map(async (name) => JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8"))),
  );
  return folders
    .filter((_, at) => checked[at].length > 0)
    .map((name) => name.replace(/^server-(.*)-\d{4}-\d\d-\d\dT.*$/, "$1"));
}
