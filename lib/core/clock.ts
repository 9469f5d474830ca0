/** The current time, for work outside requests: a request has its `now` in its context. */

/** A corrected time, and the reading of the process's monotonic clock, which nobody can set, at that moment. */
interface Anchor {
  time: number;
  at: number;
}

let anchor: Anchor | undefined;

let read = () => new Date(anchor ? anchor.time + performance.now() - anchor.at : Date.now());

export function clock(): Date {
  return read();
}

/** Sets the current time to `time` (lib/run/database-clock.ts); null returns to the machine's clock. */
export function correctClock(time: number | null): void {
  anchor = time === null ? undefined : { time, at: performance.now() };
}

/** For tests of time-dependent behavior, which set the clock in a process of their own (e2e/clock-ahead.ts). */
export function setClock(other: () => Date): void {
  read = other;
}
