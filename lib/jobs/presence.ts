/**
 * Tracks which workers are alive. Each process has a connection that holds a lock for the name of each of its workers.
 * PostgreSQL releases the locks as soon as a kill -9 closes the connection. The jobs of a worker without its lock are
 * then released to the others, within seconds. (graphile-worker alone waits 4 hours.)
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { keepAliveOptions } from "#lib/core/connections/pool.ts";
import { directDatabaseUrl } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";

export interface Presence {
  close(): Promise<void>;
}

interface Listener {
  /** The channel whose notifications are passed on. */
  channel: string;
  heard(message: string): void;
}

const lockClass = 7_201_004;

/** SQL for the number of a worker's lock, from its name. */
const lockOf = (name: string) => `(hashtext(${name}) & 2147483647)`;

const isGone = (name: string) => `NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid = ${lockClass} AND objid::bigint = ${lockOf(name)} AND objsubid = 2)`;

/**
 * Releases the jobs and deliveries of workers that are gone. Jobs locked within the last 3 seconds are skipped, since a
 * job's lock may be slightly older than its worker's. An unfinished attempt to send an e-mail does not count, since
 * attempts are meant for unavailable mail servers. For other jobs it counts, since the job may have killed the worker.
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
 * Releases jobs that are locked by an idle worker of this process: the response was lost with its connection, so the
 * worker does not know about them. Jobs that were just locked, or are being marked as done, have locks younger than 30
 * seconds.
 */
const releaseUnknown = `SELECT graphile_worker.force_unlock_workers(array_agg(name)) FROM (
    SELECT locked_by AS name FROM graphile_worker.jobs WHERE locked_by = ANY($1::text[])
    GROUP BY locked_by HAVING max(locked_at) < now() - interval '30 seconds') AS unknown
  HAVING count(*) > 0`;

const sweepMs = 2000;

/** The time after which a connection that was lost silently is noticed. */
const longestAnswerMs = 10_000;

/** After an outage, the other workers have no locks either until they reconnect. */
const returnMs = 5000;

/**
 * Takes the locks of all workers of this process, listens on the channel, and every two seconds releases the jobs of
 * dead workers.
 */
export async function showPresence(
  workers: string[],
  listener: Listener,
  /** Returns the names of those that are idle. */
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
        log().warn(
          { error: (error as Error).message },
          "the worker lost its database connection and opens a new one",
        );
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
    ...keepAliveOptions,
    ...{ connectionTimeoutMillis: longestAnswerMs, query_timeout: longestAnswerMs },
  });
  client.on("error", () => undefined);
  client.on("notification", ({ payload }) => heard(payload ?? ""));
  try {
    await client.connect();
    for (const worker of workers) {
      await client.query(`SELECT pg_advisory_lock(${lockClass}, ${lockOf("$1")})`, [worker]);
    }
    // A standby grants locks, but rejects LISTEN.
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
