/** For processes other than the server that need the database, whether or not the server is running. */
import { disconnect } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { refuseReadable } from "#lib/documents/sandbox/sandbox.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { prepareDatabase } from "./database.ts";
import { followDatabaseClock } from "./database-clock.ts";
import { provideEmbedded, provideSecretKey } from "./embedded.ts";

type Log = (line: string) => void;

/** Opens the configured database, or the embedded one if none is configured, runs `work`, and closes it. */
export async function withDatabase<T>(work: () => Promise<T>, log: Log = () => undefined): Promise<T> {
  const { DATABASE_URL, DATA_DIR } = settings();
  refuseReadable(DATA_DIR);
  if (DATABASE_URL) {
    provideSecretKey(log);
    return upToDate(work, log);
  }
  const embedded = await openPostgres(DATA_DIR, log);
  try {
    const takeBack = provideEmbedded(embedded.url);
    return await upToDate(work, log).finally(takeBack);
  } finally {
    await embedded.close();
  }
}

async function upToDate<T>(work: () => Promise<T>, log: Log): Promise<T> {
  let stopClock: (() => void) | undefined;
  try {
    await prepareDatabase(log);
    await prepareQueue();
    stopClock = await followDatabaseClock();
    return await work();
  } finally {
    stopClock?.();
    await disconnect();
  }
}
