/** `npm start`: the database, its schema, the web build, the demo workspace, the server; and their orderly end. */
import { execFile } from "node:child_process";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { endWithThis } from "#lib/core/children.ts";
import { BadSetting, isProduction, settings } from "#lib/core/env.ts";
import { refuseReadable } from "#lib/documents/sandbox/sandbox.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { prepareDatabase } from "./database.ts";
import { followDatabaseClock } from "./database-clock.ts";
import { provideEmbedded, provideSecretKey } from "./embedded.ts";
import { Entrance } from "./entrance.ts";
import { greet, tellSeeded } from "./greet.ts";
import { openMetrics } from "./ports/metrics.ts";
import { openTracing } from "./ports/tracing.ts";
import { checkSigningKey } from "./signing-key.ts";
import { limitStop, outliveTerminal, sayNoDeprecations, whenAskedToStop } from "./terminal.ts";
import { buildIfStale } from "./web/build.ts";

const root = join(import.meta.dirname, "..", "..");

/** What to close at the end, in the order of opening. */
const opened: (() => Promise<void>)[] = [];

/** Closes the embedded database, the only thing here that would outlive this process. */
let closeDatabase: (() => Promise<void>) | undefined;

const say = (line: string) => process.stderr.write(`countersign: ${line}\n`);

async function start(): Promise<void> {
  const { DATABASE_URL, DATA_DIR, DRAIN_SECONDS, HOST, PORT, SEED } = settings();
  drainSeconds = DRAIN_SECONDS;
  refuseReadable(DATA_DIR);
  const entrance = new Entrance();
  await entrance.open(PORT, HOST);
  opened.push(() => entrance.close());
  const building = entrance.making("webApp", buildIfStale(root, say));
  building.catch(() => undefined);
  await checkSigningKey();
  await entrance.making("database", openDatabase(DATABASE_URL, DATA_DIR));
  const seeded = SEED === "demo" ? await entrance.making("demo", seed()) : null;
  try {
    await building;
    keepCompiled();
    // Loaded late: reading its settings, Next wants to know them all.
    const { serve } = await import("./serve.ts");
    const metrics = await openMetrics();
    opened.push(() => metrics.close());
    const tracing = await openTracing();
    opened.push(() => tracing.close());
    const stopClock = await followDatabaseClock();
    const server = await entrance.making("server", serve(root, entrance, metrics));
    opened.push(() => server.close());
    opened.push(async () => stopClock());
  } catch (error) {
    // The next start finds the demo there: no one could sign in to it.
    if (seeded) tellSeeded(settings(), seeded);
    throw error;
  }
  greet(settings(), seeded);
}

/** What Node has compiled once, the next start need not compile. */
function keepCompiled(): void {
  if (!isProduction()) enableCompileCache(join(root, "node_modules", ".cache", "compiled"));
}

async function openDatabase(given: string | undefined, dataDir: string): Promise<void> {
  if (!given) await openEmbedded(dataDir);
  provideSecretKey(say);
  await prepareDatabase(say);
}

async function openEmbedded(dataDir: string): Promise<void> {
  const postgres = await openPostgres(dataDir, say);
  opened.push(() => postgres.close());
  closeDatabase = () => postgres.close();
  provideEmbedded(postgres.url);
}

/** Seeds in a separate process, whose memory is freed with it. Returns null if a workspace already exists. */
async function seed() {
  const program = join(root, "prisma", "demo", "seed.ts");
  // Prisma reads relations side by side on one connection, of which pg warns: no one here can change that.
  const quietly = "--disable-warning=DeprecationWarning";
  const child = promisify(execFile)(process.execPath, [quietly, program], { cwd: root });
  endWithThis(child.child);
  child.child.stderr?.pipe(process.stderr);
  return JSON.parse((await child).stdout);
}

let stopping: Promise<void> | undefined;

/** None before the settings are known. */
let drainSeconds = 0;

/** Closes everything in reverse order, once the start is complete. */
function stop(code: number): void {
  limitStop(giveUp, drainSeconds);
  stopping ??= (async () => {
    await starting.catch(() => undefined);
    for (const close of opened.reverse()) await close().catch((error) => say(error.message));
    process.exit(code);
  })();
}

const databaseStopMs = 5_000;

/** Ends at once; what this process started and what it was taking in ends with it. */
async function giveUp(): Promise<void> {
  await Promise.race([closeDatabase?.().catch(() => undefined), pause(databaseStopMs)]);
  process.exit(1);
}

outliveTerminal();
sayNoDeprecations();
whenAskedToStop(() => {
  say("stopping: running requests are finished first");
  stop(0);
}, giveUp);

const starting = start();
starting.catch((error) => {
  if (stopping) return;
  if (error instanceof BadSetting) process.stderr.write(`${error.message}\n`);
  else say(error instanceof Error ? error.message : String(error));
  stop(error instanceof BadSetting ? 2 : 1);
});
