/**
 * How soon what everyone has signed is sealed: from the last signature's answer to COMPLETED, a worker beside, as
 * `npm run worker` runs it; and how long a hundred take that end at once.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { seeded } from "./seed.ts";
import { startWorker } from "./servers.ts";

const burst = 100;
const limits: Record<string, number> = { "10 pages": 200, "200 pages": 400, [`${burst} at once`]: 20_000 };

interface Timing {
  what: string;
  runs: number;
  p50Ms: number;
  limitMs: number;
  holds: boolean;
}

export async function requestsBench(flags: Flags): Promise<void> {
  const database = await openDatabase(flags.keep);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-bench-sealing-"));
  const settings = {
    DATA_DIR: dataDir,
    SECRET_KEY: "what the servers of a bench encrypt with",
    LOG_LEVEL: "error",
    MAILS_PER_ADDRESS_PER_HOUR: "0",
  };
  const worker = startWorker(database.url, settings);
  try {
    const { organizationId, userIds } = (await seeded(database, ["small"])).small!;
    say("signing one request after another, then a hundred at once: some minutes");
    const args = [organizationId, userIds[0]!, String(Math.max(flags.rounds, 10)), String(burst)];
    const signing = spawn(process.execPath, [join(import.meta.dirname, "sign-requests.ts"), ...args], {
      env: { ...process.env, DATABASE_URL: database.url, ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { single, burstMs } = JSON.parse(await text(signing.stdout));
    const rows = [
      timing("10 pages", single["10"]),
      timing("200 pages", single["200"]),
      timing(`${burst} at once`, [burstMs]),
    ];
    process.stdout.write(flags.json ? `${JSON.stringify({ rows })}\n` : table(rows));
    if (rows.some(({ holds }) => !holds)) process.exitCode = 1;
  } finally {
    await worker.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function timing(what: string, times: number[]): Timing {
  const p50Ms = times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
  const limitMs = limits[what]!;
  return { what, runs: times.length, p50Ms, limitMs, holds: p50Ms <= limitMs };
}

function table(rows: Timing[]): string {
  const lines = rows.map(
    ({ what, runs, p50Ms, limitMs, holds }) =>
      `${what.padEnd(12)} ${String(runs).padStart(4)} runs  p50 ${String(Math.round(p50Ms)).padStart(6)} ms  limit ${limitMs} ms${holds ? "" : "  BROKEN"}`,
  );
  return `signed by everyone → COMPLETED\n${lines.join("\n")}\n`;
}
