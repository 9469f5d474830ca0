/** Brings the database that the settings name to what this version expects. */
import type pg from "pg";
import { directDatabaseUrl, settings } from "#lib/core/env.ts";
import { withClient } from "#prisma/client.ts";
import { migrate, pendingMigrations } from "#prisma/migrate.ts";

export async function prepareDatabase(say: (line: string) => void): Promise<void> {
  const url = directDatabaseUrl();
  if (settings().DATABASE_DIRECT_URL) await withClient(url, "countersign", keepUtc);
  if ((await pendingMigrations(url)).length > 0) await migrate(url, say);
}

/** The role's time zone in this database: connections that come through a pooler cannot ask for one. */
async function keepUtc(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT current_setting('TimeZone') AS "timeZone",
       format('ALTER ROLE %I IN DATABASE %I SET timezone = %L', current_user, current_database(), 'UTC') AS change`,
  );
  if (rows[0].timeZone !== "UTC") await client.query(rows[0].change);
}
