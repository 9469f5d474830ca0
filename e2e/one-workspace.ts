/**
 * A transaction only writes rows of one workspace, because workspaces may be in different databases. The tests' server
 * (`guarded`, cached-reads.ts) cannot write to a second one, so every test that writes also checks this.
 */
import pg from "pg";

/**
 * A person's own changes, and sign-ins, are recorded in all workspaces that they are or were in: such a transaction
 * also writes the person. Statements that name no workspace delete old rows, or release what a dead worker had claimed:
 * each database runs its own part of them.
 */
const guard = `
  CREATE FUNCTION guard_person() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM set_config('countersign.writes_in', 'of a person', true);
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER guard_person AFTER INSERT OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION guard_person();
  CREATE FUNCTION guard_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    own text := COALESCE(NEW.organization_id, OLD.organization_id);
    first text := COALESCE(current_setting('countersign.writes_in', true), '');
  BEGIN
    IF current_setting('countersign.guarded', true) IS DISTINCT FROM 'on' OR first IN (own, 'of a person') THEN
      RETURN NULL;
    END IF;
    IF first = '' THEN
      PERFORM set_config('countersign.writes_in', own, true);
      RETURN NULL;
    END IF;
    IF (TG_OP = 'DELETE' OR TG_TABLE_NAME = 'deliveries') AND current_query() NOT LIKE '%organization_id%' THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION '% of % is in %, and the transaction has written in %: %', TG_OP, TG_TABLE_NAME, own, first, current_query();
  END
  $$`;

export async function guardWorkspaces(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(guard);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attname = 'organization_id'
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnotnull`,
  );
  for (const { name } of rows) {
    await client.query(`CREATE TRIGGER guard_workspace AFTER INSERT OR UPDATE OR DELETE ON ${name}
      FOR EACH ROW EXECUTE FUNCTION guard_workspace()`);
  }
  await client.end();
}
