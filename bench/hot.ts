/** Creates contracts in one workspace and in eight: what a workspace's audit log costs when everyone writes to it. */
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { judged } from "./limits.ts";
import { connectionCount, measure, type Target } from "./measure.ts";
import { createText } from "./operations.ts";
import { type Seeded, seeded, seedWorkspace } from "./seed.ts";
import { startProduct } from "./servers.ts";

/** The least acceptable rate in one workspace, as a share of the rate in eight. */
const leastRatio = 0.8;

export async function hotBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closeOnInterrupt(closing);
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  await seeded(database, ["small"]);
  const workspaces: Seeded[] = [];
  for (let n = 0; n < connectionCount; n++) workspaces.push(await seedWorkspace(database.url, "new"));
  const server = await startProduct(database.url, flags.server);
  closing.defer(() => server.close());
  let asked = 0;
  const create = (next: () => Seeded): Target => ({ server, status: 201, next: () => createText(next()) });
  const targets = [create(() => workspaces[0]!), create(() => workspaces[asked++ % connectionCount]!)];
  const around = (slice: () => Promise<void>) => slice();
  const plan = { seconds: flags.seconds, rounds: flags.rounds, databasePid: database.pid, around };
  const [one, eight] = await measure(targets, plan);
  for (const [name, figures] of [
    ["one workspace", one!],
    ["eight workspaces", eight!],
  ] as const) {
    const { rps, p50Ms, p99Ms, cpuMsPer1000 } = figures;
    say(
      `${name}: ${Math.round(rps)} creations/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ` +
        `CPU ${Math.round(cpuMsPer1000 ?? 0)} ms per 1,000`,
    );
  }
  const ratio = one!.rps / eight!.rps;
  const what = `creations a second in one workspace, of those in ${connectionCount}`;
  process.stdout.write(judged([{ what, value: ratio, atLeast: leastRatio, unit: "", digits: 2 }], flags));
}
