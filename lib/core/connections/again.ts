/** Reads are done again while the database is away: whoever asks at the moment of a failover waits, and gets an answer. */
import { setTimeout as pause } from "node:timers/promises";
import { outageOf } from "./outage.ts";

/** Whoever waits longer is better told to come back. */
const patienceMs = 3000;
const firstPauseMs = 50;
const longestPauseMs = 500;

/** Each holds a request in memory: while a database is away for long, those that come later are told at once. */
const mostWaiting = 1000;
let waiting = 0;

/** Does `read`, which changes nothing, until the database answers it. */
export async function untilAnswered<T>(read: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await read();
    } catch (error) {
      const isLate = performance.now() - began + pauseMs > patienceMs;
      if (outageOf(error) !== "database" || isLate || waiting >= mostWaiting) throw error;
    }
    waiting += 1;
    await pause(pauseMs).finally(() => (waiting -= 1));
  }
}
