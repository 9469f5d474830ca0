/**
 * `npm run mutants [-- WORD…]`: plants each slip of the list in a copy of the tree and runs the test that must
 * fail with it. With words, only the slips in whose name, files or test one of them stands. Exits with 1 when a
 * slip goes unnoticed, when it no longer applies, or when its test fails without it.
 */
import { mutants } from "./all.ts";
import type { Mutant } from "./mutant.ts";
import { runTests } from "./tests.ts";
import { copyTree, type Tree } from "./tree.ts";

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const chosen = mutants.filter((mutant) => {
  const text = JSON.stringify(mutant).toLowerCase();
  return words.length === 0 || words.some((word) => text.includes(word));
});

const say = (line: string) => process.stdout.write(`${line}\n`);

/** The tests must pass as the sources are: else their failing would tell nothing. */
async function failsAnyway(tree: Tree, group: Mutant[], pages: boolean): Promise<string[]> {
  const { failed, passed, said } = await runTests(
    tree,
    group.map(({ caughtBy }) => caughtBy),
    { pages },
  );
  const missing = group
    .map(({ caughtBy }) => caughtBy.title)
    .filter((title) => !passed.has(title) || failed.has(title));
  if (failed.size > 0 || missing.length > 0) say(said.slice(-2000));
  return [...new Set(missing)];
}

async function judge(tree: Tree, mutant: Mutant): Promise<string> {
  const { caughtBy, pages = false } = mutant;
  const undo = await tree.plant(mutant.edits);
  if (!undo) return "its text does not stand in the sources any more";
  try {
    const { failed, passed, said } = await runTests(tree, [caughtBy], { pages });
    if (failed.has(caughtBy.title)) return "caught";
    return passed.has(caughtBy.title) ? "NOT CAUGHT" : `its test did not run:\n${said.slice(-2000)}`;
  } finally {
    await undo();
  }
}

const outcomes: string[] = [];
const tree = await copyTree();
try {
  for (const pages of [false, true]) {
    const group = chosen.filter((mutant) => (mutant.pages ?? false) === pages);
    const broken = group.length > 0 ? await failsAnyway(tree, group, pages) : [];
    for (const mutant of group) {
      const isBroken = broken.includes(mutant.caughtBy.title);
      const outcome = isBroken ? "its test does not pass without it" : await judge(tree, mutant);
      outcomes.push(outcome);
      say(`${outcome === "caught" ? "✓" : "✗"} ${mutant.slip}: ${outcome}`);
    }
  }
} finally {
  await tree.remove();
}
const caught = outcomes.filter((outcome) => outcome === "caught").length;
say(`${caught} of ${outcomes.length} planted slips were caught`);
process.exit(outcomes.length > 0 && caught === outcomes.length ? 0 : 1);
