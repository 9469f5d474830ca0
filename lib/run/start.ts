/**
 * `npm start`: opens the database, migrates it, builds the web app, seeds the demo workspace and starts the server.
 * Closes all of it at the end.
 */
import { execFile } from "node:child_process";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { killOnExit } from "#lib/core/children.ts";
import { BadSetting, isProduction, settings } from "#lib/core/env.ts";
import { refuseReadable } from "#lib/documents/sandbox/sandbox.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { prepareDatabase } from "./database.ts";
import { followDatabaseClock } from "./database-clock.ts";
import { provideEmbedded, provideSecretKey } from "./embedded.ts";
import { Entrance } from "./entrance.ts";
import { openMetrics } from "./ports/metrics.ts";
import { openTracing } from "./ports/tracing.ts";
import { printDemoCredentials, printReady } from "./ready.ts";
import { checkSigningKey } from "./signing-key.ts";
import { hideDeprecations, ignoreBrokenPipe, limitStop, onStopSignal } from "./terminal.ts";
import { buildIfStale } from "./web/build.ts";

const root = join(import.meta.dirname, "..", "..");

/** What to close at the end, in the order in which it was opened. */
const opened: (() => Promise<void>)[] = [];

/** Closes the embedded database, which alone would outlive this process. */
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
    // Imported on demand: the settings must be complete before Next reads them.
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
    // The next start would not seed again, so nobody would learn the demo's credentials.
    if (seeded) printDemoCredentials(settings(), seeded);
    throw error;
  }
  printReady(settings(), seeded);
}

/** Caches the code that Node has compiled, for the next start. */
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
  // Prisma queries relations concurrently on one connection, for which pg prints a warning that nobody here can act on.
  const quietly = "--disable-warning=DeprecationWarning";
  const child = promisify(execFile)(process.execPath, [quietly, program], { cwd: root });
  killOnExit(child.child);
  child.child.stderr?.pipe(process.stderr);
  return JSON.parse((await child).stdout);
}

let stopping: Promise<void> | undefined;

/** Zero until the settings are known. */
let drainSeconds = 0;

/** Closes everything in reverse order, after the start has completed or failed. */
function stop(code: number): void {
  limitStop(giveUp, drainSeconds);
  stopping ??= (async () => {
    await starting.catch(() => undefined);
    for (const close of opened.reverse()) await close().catch((error) => say(error.message));
    process.exit(code);
  })();
}

const databaseStopMs = 5_000;

/** Exits without waiting for requests and jobs. Gives the embedded database 5 seconds to close. */
async function giveUp(): Promise<void> {
  await Promise.race([closeDatabase?.().catch(() => undefined), pause(databaseStopMs)]);
  process.exit(1);
}

ignoreBrokenPipe();
hideDeprecations();
onStopSignal(() => {
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
