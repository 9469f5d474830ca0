/**
 * Makes all processes use the database's clock: servers and workers exchange times of events and due dates, and one
 * machine's clock may be wrong.
 */
import { correctClock } from "#lib/core/clock.ts";
import { query } from "#lib/core/db.ts";
import { log } from "#lib/core/log.ts";

const everyMs = 10_000;

/** A difference that correct clocks may have, and that nobody notices. */
const toleratedMs = 1000;

/** Makes clock() follow the database's time. Returns a function that stops it. */
export async function followDatabaseClock(): Promise<() => void> {
  let isWrong = false;
  const look = async () => {
    const { time, withinMs } = await databaseTime();
    const aheadMs = Math.round(Date.now() - time);
    // A lower limit for the return to normal: otherwise a difference near the limit would toggle the state.
    const limitMs = isWrong ? toleratedMs / 2 : toleratedMs;
    // If the answer was too slow to decide, the last state is kept.
    if (Math.abs(aheadMs) > limitMs + withinMs) {
      // A slow answer can show that a clock is wrong, but not by how much.
      if (!isWrong || withinMs <= toleratedMs / 2) correctClock(time);
      if (!isWrong)
        log().warn({ alert: "clock", aheadMs }, "this machine's clock is wrong, or the database's");
      isWrong = true;
    } else if (Math.abs(aheadMs) <= limitMs - withinMs) {
      correctClock(null);
      isWrong = false;
    }
  };
  await look();
  // While the database is unavailable, the last state is kept, too.
  let isLooking = false;
  const lookAgain = async () => {
    if (isLooking) return;
    isLooking = true;
    await look().catch(() => undefined);
    isLooking = false;
  };
  const timer = setInterval(lookAgain, everyMs).unref();
  return () => clearInterval(timer);
}

/** Reads the database's time, accurate to within `withinMs`. */
async function databaseTime(): Promise<{ time: number; withinMs: number }> {
  const asked = performance.now();
  const [row] = await query<{ now: number }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
    [],
  );
  const withinMs = (performance.now() - asked) / 2;
  return { time: row!.now + withinMs, withinMs };
}
