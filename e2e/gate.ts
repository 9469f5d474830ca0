/**
 * Holds a process at a chosen statement, in the database: it waits there until the gate opens, and a test can kill it
 * meanwhile. The product does not know about the gate.
 */
import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import pg from "pg";

/** Where to hold a statement: `BEFORE INSERT ON events`, with a condition on NEW or OLD if only some rows count. */
export interface Place {
  on: string;
  when?: string;
}

/** The commit of any transaction that writes such a row. */
export const commitOf = (table: string, when = "true"): Place => ({
  on: `commit of AFTER INSERT OR UPDATE ON ${table}`,
  when,
});

export interface Gate {
  /** Resolves when a process waits at the gate. */
  reached(): Promise<void>;
  open(): Promise<void>;
  /** Terminates the connections that wait at the gate, so that their transactions roll back, then opens it. */
  cut(): Promise<void>;
}

const lock = 7_201_999;

/** The lock is needed because two tests that define these at the same time would make each other fail. */
const definitions = `
  SELECT pg_advisory_xact_lock(${lock + 1});
  CREATE OR REPLACE FUNCTION test_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(${lock});
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE FUNCTION test_refusal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'A test refuses this row.';
  END $$;`;

const tableOf = ({ on }: Place) => on.slice(on.indexOf(" ON ") + 4);

function trigger({ on, when = "true" }: Place, action: string, name = action): string {
  const [, atCommit, event] = /^(commit of )?(.*)$/.exec(on)!;
  const kind = atCommit ? "CONSTRAINT TRIGGER" : "TRIGGER";
  const deferral = atCommit ? "DEFERRABLE INITIALLY DEFERRED" : "";
  return `CREATE ${kind} ${name} ${event} ${deferral} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${action}()`;
}

/** Closes a gate. A database can only have one at a time. */
export async function closeGate(databaseUrl: string, place: Place): Promise<Gate> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(definitions);
  await client.query(trigger(place, "test_gate"));
  await client.query(`SELECT pg_advisory_lock(${lock})`);
  const held = `locktype = 'advisory' AND objid = ${lock}`;
  const gate: Gate = {
    reached: () => waiting(client, held, 1),
    async open() {
      await client.query(`SELECT pg_advisory_unlock(${lock})`);
      // Waits until the held transactions commit, or roll back if their process is gone.
      await client.query(`DROP TRIGGER test_gate ON ${tableOf(place)}`);
      await client.end();
    },
    async cut() {
      await client.query(
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE NOT granted AND ${held}`,
      );
      await gate.open();
    },
  };
  return gate;
}

/** Resolves when at least `count` connections wait for this lock. */
async function waiting(client: pg.Client, lock: string, count: number): Promise<void> {
  const sql = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND ${lock}`;
  await expect
    .poll(async () => (await client.query(sql)).rows[0].count, { timeout: 60_000, intervals: [20] })
    .toBeGreaterThanOrEqual(count);
}

/** Locks a table, so that everyone who reads or writes it waits. */
export async function closeTable(databaseUrl: string, table: string): Promise<Omit<Gate, "cut">> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    reached: () => waiting(client, `locktype = 'relation' AND relation = '${table}'::regclass`, 1),
    async open() {
      await client.query("ROLLBACK");
      await client.end();
    },
  };
}

/** Holds the lock of a stored file, which all code that names or removes the file takes. `reached` takes a count. */
export async function closeFile(databaseUrl: string, organizationId: string, sha256: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const name = `file ${organizationId} ${sha256}`;
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
  return {
    reached: (count: number) => waiting(client, "locktype = 'advisory' AND objsubid = 1", count),
    async open() {
      await client.query("ROLLBACK");
      await client.end();
    },
  };
}

/** Makes every statement at this place fail, until the returned function is called. */
export async function refuse(databaseUrl: string, place: Place): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(definitions);
  // Several tests may do this on the same table.
  const name = `test_refusal_${randomUUID().replaceAll("-", "")}`;
  await client.query(trigger(place, "test_refusal", name));
  return async () => {
    await client.query(`DROP TRIGGER ${name} ON ${tableOf(place)}`);
    await client.end();
  };
}
