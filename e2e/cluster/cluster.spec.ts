/**
 * The product on several machines, with faults. `CLUSTER_FAULTS=700 FAULTS_SEED=1 npm test -- --project=cluster` runs
 * 700 faults, in the same order as any run with that seed. If CLUSTER_ROUNDS names a folder, the results of each round
 * are stored there, and a run with the same seed continues with the first round that is missing. CLUSTER_AT_ONCE is the
 * number of clusters that run concurrently.
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

/** The number of faults in one cluster's life. */
const faultsARound = 20;

/** A minute for each fault, and the time to finish the remaining work. */
const longestMs = 900_000 + faultsARound * 60_000;

test(`under ${faults} faults no acknowledged write is lost, no effect is duplicated and no read is stale`, async () => {
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

/** Maps with this concurrency. Errors do not stop the others; they are thrown at the end. */
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

/** Returns what is in the file. If it does not exist, runs `live` and stores its result there. */
async function keep(path: string, live: () => Promise<Judged>): Promise<Judged> {
  const kept = await readFile(path, "utf8").catch(() => undefined);
  if (kept) return JSON.parse(kept);
  const judged = await live();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(judged));
  return judged;
}
