/**
 * Tests that the checker finds what it should: a cluster with a bug goes through the faults that reveal it. All bugs
 * are in one copy of the tree, and PLANTED selects the active one. `CLUSTER_BUGS` is 4 (FAULTS_SEED selects which),
 * `all` or 0.
 */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { copyTree, type Tree } from "../../mutants/tree.ts";
import { seed } from "../../random.ts";
import { root } from "../../server.ts";
import { liveThrough, withStart } from "../round.ts";
import { bugs, fourOf, fromSources } from "./all.ts";

const { CLUSTER_BUGS = "4" } = process.env;
const chosen = CLUSTER_BUGS === "all" ? bugs : CLUSTER_BUGS === "0" ? [] : fourOf(seed);

const work = { least: { created: 25, signed: 1 }, patienceMs: 20_000, longestMs: 300_000 };

let tree: Tree | undefined;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  tree = await copyTree();
  await cp(join(root, ".next"), join(tree.path, ".next"), { recursive: true, verbatimSymlinks: true });
  const edits = [...fromSources, ...bugs.flatMap((bug) => bug.edits)];
  if (!(await tree.plant(edits))) throw new Error("A bug does not apply to the sources any more.");
});

test.afterAll(() => tree?.remove());

const withBug = (name: string) => ({ path: tree!.path, environment: { PLANTED: name } });

for (const { name, plan, shows } of chosen) {
  test(`the checker reports "${shows.kind}" when ${name}`, async () => {
    test.setTimeout(withStart(work.longestMs));
    const life = { ...work, plan, product: withBug(name) };
    const { findings } = await liveThrough(name, test.info().outputDir, life);
    const { kind, says } = shows;
    expect(findings).toContainEqual(expect.objectContaining({ kind, says: expect.stringMatching(says) }));
  });
}

if (CLUSTER_BUGS === "all") {
  test("the checker reports nothing when no planted bug is active", async () => {
    test.setTimeout(withStart(work.longestMs));
    // Without `when`: some steps wait for what only their bug causes.
    const plan = bugs.flatMap((bug) => bug.plan.map(({ fault }) => ({ fault })));
    const life = { ...work, plan, product: withBug("none") };
    expect((await liveThrough("no bug", test.info().outputDir, life)).findings).toEqual([]);
  });
}
