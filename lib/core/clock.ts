/** The current time, for work outside requests: a request has its `now` in its context. */

/** A moment of the clock that counts, and what the process's own, which nobody can set, said then. */
interface Anchor {
  time: number;
  at: number;
}

let anchor: Anchor | undefined;

let read = () => new Date(anchor ? anchor.time + performance.now() - anchor.at : Date.now());

export function clock(): Date {
  return read();
}

/** The time is `time` (lib/run/database-clock.ts); where that is null, it is what the machine says. */
export function correctClock(time: number | null): void {
  anchor = time === null ? undefined : { time, at: performance.now() };
}

/** For tests of what time brings about: they set it in a process of their own (e2e/clock-ahead.ts). */
export function setClock(other: () => Date): void {
  read = other;
}
