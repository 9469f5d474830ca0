/**
 * What the checker is worth: slips planted in a copy of the sources, one at a time, and each is found. Four of them
 * by the seed; `CLUSTER_PLANTED=all` plants all.
 */
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { copyTree, type Tree } from "../mutants/tree.ts";
import { seed } from "../random.ts";
import { type Planted, planted } from "./planted.ts";
import { liveThrough } from "./round.ts";

const count = process.env.CLUSTER_PLANTED === "all" ? planted.length : 4;

/** One after the other from a place that the seed names: a few runs plant all. */
const chosen = Array.from({ length: count }, (_, index) => planted[(seed + index) % planted.length]!);

test(`of ${count} planted slips the checker finds each`, async () => {
  test.setTimeout(count * 300_000);
  process.stdout.write(`FAULTS_SEED=${seed}\n`);
  const tree = await copyTree();
  const unseen: string[] = [];
  try {
    for (const one of chosen) {
      const found = await findingsWith(one, tree);
      process.stdout.write(`${one.slip}: ${found.length === 0 ? "nothing" : found[0]!.says}\n`);
      if (found.length === 0) unseen.push(one.slip);
    }
  } finally {
    await tree.remove();
  }
  expect(unseen).toEqual([]);
});

async function findingsWith({ slip, edits, shows }: Planted, tree: Tree) {
  const undo = await tree.plant(edits);
  if (!undo) throw new Error(`${slip} does not apply any more.`);
  const folder = join(test.info().outputDir, slip);
  const kind = { sources: tree.path, apiOnly: true };
  const { findings } = await liveThrough(slip, plan, { folder, kind, settleMs: 10_000 });
  await undo();
  return findings.filter((finding) => shows.includes(finding.kind));
}

/** Enough for each of them to show. */
const plan = ["kill -9 of both workers", "kill -9 of a server", "kill -9 of both workers"];
