/** A process that is not the server and still needs the database, whether or not the server runs. */
import { disconnect } from "#lib/db.ts";
import { provideSettings, settings } from "#lib/env.ts";
import { migrate } from "#prisma/migrate.ts";
import { openPostgres } from "#prisma/postgres.ts";

type Log = (line: string) => void;

/** Opens the database that the settings name, or else the embedded one, works with it, and closes it. */
export async function withDatabase<T>(work: () => Promise<T>, log: Log = () => undefined): Promise<T> {
  const { DATABASE_URL, DATA_DIR } = settings();
  if (DATABASE_URL) return upToDate(DATABASE_URL, work, log);
  const embedded = await openPostgres(DATA_DIR, log);
  try {
    provideSettings({ DATABASE_URL: embedded.url });
    return await upToDate(embedded.url, work, log);
  } finally {
    // Empty counts as unset: the next one in this process opens the embedded one again.
    provideSettings({ DATABASE_URL: "" });
    await embedded.close();
  }
}

async function upToDate<T>(url: string, work: () => Promise<T>, log: Log): Promise<T> {
  try {
    await migrate(url, log);
    return await work();
  } finally {
    await disconnect();
  }
}
