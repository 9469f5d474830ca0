/** Retries reads while the database is unreachable, so that a read during a failover waits and succeeds. */
import { setTimeout as pause } from "node:timers/promises";
import { outageOf } from "./outage.ts";

/** After this, the caller is told to come back later. */
const patienceMs = 3000;
const firstPauseMs = 50;
const longestPauseMs = 500;

/** Each waiting read holds a request in memory: in a long outage, further reads fail at once. */
const maxWaiting = 1000;
let waiting = 0;

/** Retries `read`, which must have no side effects, until the database answers. */
export async function retryDuringOutage<T>(read: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await read();
    } catch (error) {
      const isLate = performance.now() - began + pauseMs > patienceMs;
      if (outageOf(error) !== "database" || isLate || waiting >= maxWaiting) throw error;
    }
    waiting += 1;
    await pause(pauseMs).finally(() => (waiting -= 1));
  }
}
