/**
 * Which workers are alive. Each has a connection of its own that holds a lock by its name for as long as the
 * process lives: PostgreSQL lets go of it the moment a kill -9 closes the connection. What a worker without
 * its lock had taken on is then given to the others, within seconds. (graphile-worker alone waits 4 hours.)
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { keptAlive } from "#lib/core/connections/pool.ts";
import { directDatabaseUrl } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";

export interface Presence {
  close(): Promise<void>;
}

interface Listener {
  /** What notifications of this channel say is handed on. */
  channel: string;
  heard(message: string): void;
}

const lockClass = 7_201_004;

/** The number that stands for a worker's name in its lock. */
const lockOf = (name: string) => `(hashtext(${name}) & 2147483647)`;

const isGone = (name: string) => `NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid = ${lockClass} AND objid::bigint = ${lockOf(name)} AND objsubid = 2)`;

/**
 * What workers that are gone had taken on. A job's lock may be a moment older than its worker's. An e-mail's
 * attempts are for mail servers that are away: one that no one finished does not count. Of other jobs it
 * does, for they may be what killed the worker.
 */
const release = [
  `UPDATE deliveries SET claimed_by = NULL WHERE claimed_by IS NOT NULL AND ${isGone("claimed_by")}`,
  `DO $$ DECLARE job record; BEGIN
     FOR job IN SELECT id, task_identifier, attempts, locked_by FROM graphile_worker.jobs
       WHERE locked_at < now() - interval '3 seconds' AND ${isGone("locked_by")}
     LOOP
       PERFORM graphile_worker.force_unlock_workers(ARRAY[job.locked_by]);
       IF job.task_identifier IN ('mail.send', 'signatures.mail') THEN
         PERFORM graphile_worker.reschedule_jobs(ARRAY[job.id], attempts => job.attempts - 1);
       END IF;
     END LOOP;
   END $$`,
];

/**
 * Jobs that were taken in the name of a worker of this process that is at none: the answer got lost with its connection,
 * so no one knows of them. What has just been taken, or is being noted as done, is younger.
 */
const releaseUnknown = `SELECT graphile_worker.force_unlock_workers(array_agg(name)) FROM (
    SELECT locked_by AS name FROM graphile_worker.jobs WHERE locked_by = ANY($1::text[])
    GROUP BY locked_by HAVING max(locked_at) < now() - interval '30 seconds') AS unknown
  HAVING count(*) > 0`;

const sweepMs = 2000;

/** What is gone without a word is noticed after so long. */
const longestAnswerMs = 10_000;

/** After an outage the others have no locks either, until they are back. */
const returnMs = 5000;

/** Shows that a process is there, by all the names it works under, listens, and every two seconds frees what the dead had taken on. */
export async function showPresence(
  workers: string[],
  listener: Listener,
  /** Those of them that are at no job. */
  idle: () => string[],
): Promise<Presence> {
  let closed = false;
  let client = await connect(workers, listener);
  const keeping = (async () => {
    while (!closed) {
      try {
        for (const statement of release) await client.query(statement);
        await client.query(releaseUnknown, [idle()]);
        await pause(sweepMs, undefined, { ref: false });
      } catch (error) {
        if (closed) return;
        log().warn({ error: (error as Error).message }, "worker lost its connection and opens a new one");
        await pause(sweepMs / 2);
        await client.end().catch(() => undefined);
        const back = await connect(workers, listener).catch(() => undefined);
        if (!back) continue;
        client = back;
        await pause(returnMs, undefined, { ref: false });
      }
    }
    await client.end().catch(() => undefined);
  })();
  return {
    async close() {
      closed = true;
      await client.end().catch(() => undefined);
      await Promise.race([keeping, pause(100)]);
    },
  };
}

async function connect(workers: string[], { channel, heard }: Listener): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: directDatabaseUrl(),
    application_name: "countersign worker",
    ...keptAlive,
    ...{ connectionTimeoutMillis: longestAnswerMs, query_timeout: longestAnswerMs },
  });
  client.on("error", () => undefined);
  client.on("notification", ({ payload }) => heard(payload ?? ""));
  try {
    await client.connect();
    for (const worker of workers) {
      await client.query(`SELECT pg_advisory_lock(${lockClass}, ${lockOf("$1")})`, [worker]);
    }
    // A standby takes locks, and refuses this.
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
