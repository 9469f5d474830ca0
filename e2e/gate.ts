/**
 * Stops a process at a chosen statement, in the database: whoever comes there waits until the gate is opened,
 * and a test may kill the process meanwhile. Nothing in the product knows of it.
 */
import { expect } from "@playwright/test";
import pg from "pg";

/** A statement's place: `BEFORE INSERT ON events`, with a condition on NEW or OLD where only some rows count. */
export interface Place {
  on: string;
  when?: string;
}

/** The commit of whatever writes such a row. */
export const commitOf = (table: string, when = "true"): Place => ({
  on: `commit of AFTER INSERT OR UPDATE ON ${table}`,
  when,
});

export interface Gate {
  /** Resolves when a process waits at the gate. */
  reached(): Promise<void>;
  /** Lets pass whoever comes from now on; those that wait go on waiting. */
  ignore(): Promise<void>;
  open(): Promise<void>;
}

const lock = 7_201_999;

const definitions = `
  CREATE TABLE IF NOT EXISTS test_gates (is_closed boolean NOT NULL);
  CREATE OR REPLACE FUNCTION test_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT 1 FROM test_gates WHERE is_closed) THEN
      PERFORM pg_advisory_xact_lock_shared(${lock});
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE FUNCTION test_refusal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'A test refuses this row.';
  END $$;`;

const tableOf = ({ on }: Place) => on.slice(on.indexOf(" ON ") + 4);

function trigger({ on, when = "true" }: Place, name: string): string {
  const [, atCommit, event] = /^(commit of )?(.*)$/.exec(on)!;
  const kind = atCommit ? "CONSTRAINT TRIGGER" : "TRIGGER";
  const deferral = atCommit ? "DEFERRABLE INITIALLY DEFERRED" : "";
  return `CREATE ${kind} ${name} ${event} ${deferral} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`;
}

/** One gate at a time in a database. */
export async function closeGate(databaseUrl: string, place: Place): Promise<Gate> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(definitions);
  await client.query(trigger(place, "test_gate"));
  await client.query("INSERT INTO test_gates VALUES (true)");
  await client.query(`SELECT pg_advisory_lock(${lock})`);
  const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted`;
  return {
    reached: () =>
      expect
        .poll(async () => (await client.query(waiting)).rowCount, { timeout: 60_000, intervals: [20] })
        .toBeGreaterThan(0),
    ignore: async () => void (await client.query("DELETE FROM test_gates")),
    async open() {
      await client.query("DELETE FROM test_gates");
      await client.query(`SELECT pg_advisory_unlock(${lock})`);
      // Waits for those that were held to commit, or to be rolled back where nobody is left to commit.
      await client.query(`DROP TRIGGER test_gate ON ${tableOf(place)}`);
      await client.end();
    },
  };
}

/** Lets every statement at this place fail, until it is undone. */
export async function refuse(databaseUrl: string, place: Place): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(definitions);
  await client.query(trigger(place, "test_refusal"));
  return async () => {
    await client.query(`DROP TRIGGER test_refusal ON ${tableOf(place)}`);
    await client.end();
  };
}
