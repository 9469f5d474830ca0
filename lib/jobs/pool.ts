/**
 * The queue's connections. When a job has ended, graphile-worker notes it without waiting, and does so again after few
 * kinds of errors only. Any other would go unheard: it ends the process, or leaves the job taken for four hours. So
 * connections are waited for while the database is away, and one that breaks is told as what is tried again.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { outageOf } from "#lib/core/connections/outage.ts";
import { openPool } from "#lib/core/db.ts";

const retryMs = 1000;

/** serialization_failure: tried again at once, and then every five seconds at most. */
const triedAgain = "40001";

/** Who opens it ends it; from `leaving` on nothing is waited for. */
export function openQueuePool(max: number, leaving: AbortSignal): Pool {
  return patient(openPool(max), leaving);
}

export function patient(pool: Pool, leaving: AbortSignal): Pool {
  const connect: (...args: unknown[]) => unknown = pool.connect.bind(pool);
  const connectPatiently = (...callback: unknown[]) =>
    callback.length > 0 ? connect(...callback) : untilThere(() => connect() as Promise<unknown>, leaving);
  pool.connect = connectPatiently as typeof pool.connect;
  pool.on("connect", (client) => {
    const query: (...args: unknown[]) => unknown = client.query.bind(client);
    const ask = (...args: unknown[]) => {
      const answer = query(...args);
      return answer instanceof Promise ? answer.catch((error) => tell(error, leaving)) : answer;
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

function tell(error: Error, leaving: AbortSignal): never {
  if (outageOf(error) !== "database" || leaving.aborted) throw error;
  throw Object.assign(new Error(error.message, { cause: error }), { code: triedAgain });
}
