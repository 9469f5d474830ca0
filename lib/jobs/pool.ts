/**
 * The queue's connections. When a job ends, graphile-worker records that in the background, and retries only after a
 * few kinds of errors. Any other error would end the process, or leave the job locked for four hours. So this pool
 * waits for connections while the database is unavailable, and reports a broken connection as an error that is retried.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { outageOf } from "#lib/core/connections/outage.ts";
import { openPool } from "#lib/core/db.ts";

const retryMs = 1000;

/** serialization_failure: graphile-worker retries at once, and then every five seconds at most. */
const triedAgain = "40001";

/**
 * Longer than any statement of the queue takes: a connection without a response for this long is dead, even if it is
 * not closed.
 */
const longestStatementMs = 30_000;

/** Opens the pool. The caller must end it. Once `leaving` is aborted, it no longer waits or retries. */
export function openQueuePool(max: number, leaving: AbortSignal): Pool {
  return patient(openPool(max), leaving);
}

export function patient(pool: Pool, leaving: AbortSignal, answeredWithinMs = longestStatementMs): Pool {
  const connect: (...args: unknown[]) => unknown = pool.connect.bind(pool);
  const connectPatiently = (...callback: unknown[]) =>
    callback.length > 0 ? connect(...callback) : untilThere(() => connect() as Promise<unknown>, leaving);
  pool.connect = connectPatiently as typeof pool.connect;
  pool.on("connect", (client) => {
    const query: (...args: unknown[]) => unknown = client.query.bind(client);
    const ask = (...args: unknown[]) => {
      // While a statement is running, this closes the connection at once, and the statement fails.
      const silent = setTimeout(() => client.end(), answeredWithinMs);
      const answered = () => clearTimeout(silent);
      const callback = args.at(-1);
      if (typeof callback === "function") {
        const call = (error: Error | undefined, ...result: unknown[]) => {
          answered();
          callback(error && asTold(error, leaving), ...result);
        };
        return query(...args.slice(0, -1), call);
      }
      const failed = (error: Error) => Promise.reject(asTold(error, leaving));
      return (query(...args) as Promise<unknown>).catch(failed).finally(answered);
    };
    client.query = ask as typeof client.query;
  });
  return pool;
}

async function untilThere<T>(connect: () => Promise<T>, leaving: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (outageOf(error) !== "database" || leaving.aborted) throw error;
    }
    await pause(retryMs, undefined, { signal: leaving }).catch(() => undefined);
  }
}

function asTold(error: Error, leaving: AbortSignal): Error {
  if (outageOf(error) !== "database" || leaving.aborted) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: triedAgain });
}
