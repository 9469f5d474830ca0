/**
 * During a rolling update, two versions work on one database, as migrated by the newer one. Each passes its API tests
 * there, beside a server of the other version that does half of the background work. Takes twenty minutes and needs the
 * whole machine: `npm test -- --project=versions`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { buildIfStale } from "#lib/run/web/build.ts";
import { copyTree, plant } from "../mutants/tree.ts";
import { node, root } from "../server.ts";
import { versionBefore } from "../version-before.ts";
import { setUpBeside } from "./set-up-beside.ts";

test.describe.configure({ mode: "default", timeout: 45 * 60_000 });

const closing = new AsyncDisposableStack();
let [ours, before] = ["", ""];

test.beforeAll(async () => {
  // The limit set by configure() applies only to tests.
  test.setTimeout(20 * 60_000);
  await buildIfStale(root, (line) => process.stdout.write(`${line}\n`));
  const tree = await copyTree();
  closing.defer(() => tree.remove());
  ours = tree.path;
  await cp(join(root, ".next"), join(ours, ".next"), { recursive: true, verbatimSymlinks: true });
  const older = await versionBefore(closing);
  if (!older) throw new Error("Git's history does not reach back to a version with fewer migrations.");
  before = older;
  await bringTogether(ours, before);
  await bringTogether(before, ours);
});

test.afterAll(() => closing.disposeAsync());

/** The tests of the tree at `path` then migrate with our migrations, and also start a server of the other tree. */
async function bringTogether(path: string, other: string): Promise<void> {
  const edits = setUpBeside({ migrations: ours, other });
  if (!(await plant(path, edits))) throw new Error(`${edits[0]!.file} of ${path} is not what it was.`);
}

/** Runs its API tests; returns the exit code. */
async function testApi(path: string, more: string[] = []): Promise<number> {
  const args = ["node_modules/@playwright/test/cli.js", "test", "-c", "e2e", "--project=api", ...more];
  const env = { ...process.env, TEST_ALONE: "" };
  const child = spawn(node, args, { cwd: path, env, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "close");
  return code;
}

test("this version passes its API tests beside a server of the previous version", async () => {
  expect(await testApi(ours)).toBe(0);
});

test("the previous version passes its API tests beside a server of this version, on this version's database", async () => {
  // Some of its tests depend on timing, and can no longer be fixed.
  expect(await testApi(before, ["--retries=2"])).toBe(0);
});
