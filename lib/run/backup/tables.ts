/** The tables that a backup includes: all of the product and of the job queue, except those that record migrations. */
import type pg from "pg";

/** The names are quoted for use in SQL. */
export interface TableShape {
  name: string;
  columns: string[];
}

const schemas = "('public', 'graphile_worker')";

/** Lists the tables to copy. Generated columns are left out. */
export async function tablesOf(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name,
       array_agg(quote_ident(a.attname) ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND n.nspname IN ${schemas} AND c.relname NOT IN ('_prisma_migrations', 'migrations')
     GROUP BY n.nspname, c.relname ORDER BY n.nspname, c.relname`,
  );
  return rows;
}

export async function sequencesOf(client: pg.Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value
     FROM pg_sequences WHERE schemaname IN ${schemas} AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}

export async function referencesOf(
  client: pg.Client,
): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query(
    `SELECT format('%I.%I', n.nspname, c.relname) AS table, quote_ident(f.conname) AS name,
       pg_get_constraintdef(f.oid) AS definition
     FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE f.contype = 'f' AND n.nspname IN ${schemas}`,
  );
  return rows;
}

export async function newestMigration(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    "SELECT max(migration_name) AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  return rows[0].name;
}
