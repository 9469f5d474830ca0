/**
 * The product on several machines, while they break. `CLUSTER_FAULTS=700 FAULTS_SEED=1 npm test -- --project=cluster`
 * breaks as much, and in the same order as another run of that seed.
 */
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { randomNumbers, seed } from "../random.ts";
import { planOf } from "./faults.ts";
import { type Judged, liveThrough } from "./round.ts";
import { tableOf } from "./table.ts";

const faults = Number(process.env.CLUSTER_FAULTS || 60);

/** One cluster lives through so many. */
const faultsARound = 20;

test(`${faults} faults, and nothing that was acknowledged is lost, takes place twice, or is read older than it was written`, async () => {
  test.setTimeout(300_000 + faults * 60_000);
  process.stdout.write(`FAULTS_SEED=${seed}\n`);
  const rounds: Judged[] = [];
  const order = randomNumbers("the order of faults");
  for (let before = 0; before < faults; before += faultsARound) {
    const plan = planOf(Math.min(faultsARound, faults - before), before, order);
    const name = `round ${before / faultsARound + 1}`;
    const judged = await liveThrough(name, plan, join(test.info().outputDir, name));
    rounds.push(judged);
    process.stdout.write(`${name}: ${judged.told} events, ${judged.findings.length} findings\n`);
  }
  process.stdout.write(`${tableOf(rounds)}\n`);
  expect(rounds.flatMap(({ findings }) => findings)).toEqual([]);
});
