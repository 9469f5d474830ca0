/** What time it is: the machine's, or the database's, or as far ahead of it as a test has set. */
import { settings } from "./env.ts";

/** How far this process's time is ahead: CLOCK_AHEAD_SECONDS. For SQL, as `now() + make_interval(secs => …)`. */
export function aheadSeconds(): number {
  return settings().CLOCK_AHEAD_SECONDS;
}

export function clock(): Date {
  return new Date(Date.now() + aheadSeconds() * 1000);
}
