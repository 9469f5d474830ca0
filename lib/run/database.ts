/** Prepares the configured database for this version. */
import type pg from "pg";
import { sessionSettings } from "#lib/core/connections/pool.ts";
import { directDatabaseUrl, settings } from "#lib/core/env.ts";
import { withClient } from "#prisma/client.ts";
import { migrate, pendingMigrations } from "#prisma/migrate.ts";

export async function prepareDatabase(say: (line: string) => void): Promise<void> {
  const url = directDatabaseUrl();
  if (settings().DATABASE_DIRECT_URL) await withClient(url, "countersign", settleRole);
  if ((await pendingMigrations(url)).length > 0) await migrate(url, say);
}

/**
 * Sets the session settings on the role, for this database: connections through a pooler cannot set them themselves.
 */
async function settleRole(client: pg.Client): Promise<void> {
  // Two processes that start at the same time would update the role's row concurrently.
  await client.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('role settings', 0))");
  for (const [name, value] of Object.entries(sessionSettings)) {
    const { rows } = await client.query<{ change: string }>(
      `SELECT format('ALTER ROLE %I IN DATABASE %I SET %I = %L', current_user, current_database(), name, $2::text) AS change
       FROM pg_settings WHERE name = $1 AND CASE name WHEN 'TimeZone' THEN setting <> $2 ELSE reset_val = '0' END`,
      [name, value],
    );
    if (rows[0]) await client.query(rows[0].change);
  }
  await client.query("COMMIT");
}
