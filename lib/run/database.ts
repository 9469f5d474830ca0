/** Brings the database that the settings name to what this version expects. */
import pg from "pg";
import { directDatabaseUrl, settings } from "#lib/core/env.ts";
import { migrate, pendingMigrations } from "#prisma/migrate.ts";

export async function prepareDatabase(say: (line: string) => void): Promise<void> {
  const url = directDatabaseUrl();
  if (url === undefined) throw new Error("There is no database.");
  if (settings().DATABASE_DIRECT_URL) await keepUtc(url);
  if ((await pendingMigrations(url)).length > 0) await migrate(url, say);
}

/** The role's time zone in this database: connections that come through a pooler cannot ask for one. */
async function keepUtc(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: "countersign" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT current_setting('TimeZone') AS "timeZone",
         format('ALTER ROLE %I IN DATABASE %I SET timezone = %L', current_user, current_database(), 'UTC') AS change`,
    );
    if (rows[0].timeZone !== "UTC") await client.query(rows[0].change);
  } finally {
    await client.end();
  }
}
