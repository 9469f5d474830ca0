/**
 * The product on several machines, while they break. `CLUSTER_FAULTS=700 FAULTS_SEED=1 npm test -- --project=cluster`
 * breaks as much, and in the same order as another run of that seed. With CLUSTER_ROUNDS, a folder, what a round came to is
 * kept there, and a run of the same seed goes on with the first that is not. CLUSTER_AT_ONCE says how many clusters live
 * beside each other.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "@playwright/test";
import { randomNumbers, seed } from "../random.ts";
import { planOf } from "./faults.ts";
import { type Judged, liveThrough, withStart } from "./round.ts";
import { tableOf } from "./table.ts";

const faults = Number(process.env.CLUSTER_FAULTS || 60);
const atOnce = Number(process.env.CLUSTER_AT_ONCE || 1);
const { CLUSTER_ROUNDS: folder } = process.env;

/** One cluster lives through so many. */
const faultsARound = 20;

/** A minute for each, and what is left to do in the end. */
const longestMs = 900_000 + faultsARound * 60_000;

test(`${faults} faults, and nothing that was acknowledged is lost, takes place twice, or is read older than it was written`, async () => {
  test.setTimeout(Math.ceil(faults / faultsARound) * withStart(longestMs));
  process.stdout.write(`FAULTS_SEED=${seed}\n`);
  const order = randomNumbers("the order of faults");
  const plans: string[][] = [];
  for (let before = 0; before < faults; before += faultsARound) {
    plans.push(planOf(Math.min(faultsARound, faults - before), before, order));
  }
  const rounds = await mapAtOnce(atOnce, plans, (faults, index) => {
    const name = `round ${index + 1}`;
    const plan = faults.map((fault) => ({ fault }));
    const live = () => liveThrough(name, join(test.info().outputDir, name), { plan, longestMs });
    return folder ? keep(join(folder, `seed ${seed}, ${name}.json`), live) : live();
  });
  process.stdout.write(`${tableOf(rounds)}\n`);
  expect(rounds.flatMap(({ findings }) => findings)).toEqual([]);
});

/** What each comes to, so many at once. What breaks off is told, and fails in the end: the others go on. */
async function mapAtOnce<From, To>(
  atOnce: number,
  all: From[],
  act: (one: From, index: number) => Promise<To>,
): Promise<To[]> {
  const results: To[] = [];
  const errors: unknown[] = [];
  const left = all.entries();
  const lanes = Array.from({ length: atOnce }, async () => {
    for (const [index, one] of left) {
      try {
        results[index] = await act(one, index);
      } catch (error) {
        errors.push(error);
        process.stdout.write(`${inspect(error)}\n`);
      }
    }
  });
  await Promise.all(lanes);
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} rounds broke off.`);
  return results;
}

/** What is in the file, or else what `live` comes to, which is in it from then on. */
async function keep(path: string, live: () => Promise<Judged>): Promise<Judged> {
  const kept = await readFile(path, "utf8").catch(() => undefined);
  if (kept) return JSON.parse(kept);
  const judged = await live();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(judged));
  return judged;
}
