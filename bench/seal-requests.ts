/**
 * How soon a fully signed document is sealed: from the response to the last signature until COMPLETED, with a separate
 * worker like that of `npm run worker`. Also how long it takes for a hundred signed at once.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { judged } from "./limits.ts";
import { median } from "./percentiles.ts";
import { seeded } from "./seed.ts";
import { startWorker } from "./servers.ts";

const burst = 100;

export async function requestsBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closeOnInterrupt(closing);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-bench-sealing-"));
  closing.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  const settings = {
    DATA_DIR: dataDir,
    SECRET_KEY: "what the servers of a bench encrypt with",
    LOG_LEVEL: "error",
    MAILS_PER_ADDRESS_PER_HOUR: "0",
  };
  const worker = startWorker(database.url, settings);
  closing.defer(() => worker.close());
  const { organizationId, userIds } = (await seeded(database, ["small"])).small!;
  say("signing one request after another, then a hundred at once: some minutes");
  const args = [organizationId, userIds[0]!, String(Math.max(flags.rounds, 10)), String(burst)];
  const signing = spawn(process.execPath, [join(import.meta.dirname, "sign-requests.ts"), ...args], {
    env: { ...process.env, DATABASE_URL: database.url, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { single, burstMs } = JSON.parse(await text(signing.stdout));
  const from = "from the last signature to COMPLETED";
  process.stdout.write(
    judged(
      [
        { what: `10 pages, p50, ${from}`, value: median(single["10"]), atMost: 200, unit: "ms" },
        { what: `200 pages, p50, ${from}`, value: median(single["200"]), atMost: 400, unit: "ms" },
        { what: `${burst} that end at once, all of them`, value: burstMs, atMost: 20_000, unit: "ms" },
      ],
      flags,
    ),
  );
}
