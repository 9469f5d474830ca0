/**
 * The queue's connections. When a job has ended, graphile-worker notes it without waiting, and tries that again only
 * where the database is away in words that it knows. Any other error would go unheard: it ends the process, or leaves
 * the job taken for four hours. So whatever an outage looks like is told in those words.
 */
import type { Pool } from "pg";
import { outageOf } from "#lib/core/connections/outage.ts";
import { openPool } from "#lib/core/db.ts";

/** cannot_connect_now: tried again after three seconds, and then less often. */
const awaited = "57P03";

/** Who opens it ends it. */
export function openQueuePool(max: number): Pool {
  const pool = openPool(max);
  pool.connect = inKnownWords(pool.connect.bind(pool));
  pool.on("connect", (client) => {
    client.query = inKnownWords(client.query.bind(client));
  });
  return pool;
}

/** pg answers a promise, or else tells a callback. */
export function inKnownWords<Ask>(ask: Ask): Ask {
  const asked = (...args: unknown[]) => {
    const answer: unknown = (ask as (...args: unknown[]) => unknown)(...args);
    return answer instanceof Promise ? answer.catch(tell) : answer;
  };
  return asked as Ask;
}

function tell(error: Error): never {
  if (outageOf(error) !== "database") throw error;
  throw Object.assign(new Error(error.message, { cause: error }), { code: awaited });
}
