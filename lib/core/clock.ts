/** What time it is, for whatever no request is about: a request has its `now` in its context. */
let read = () => new Date();

export function clock(): Date {
  return read();
}

/** For tests of what time brings about: they set it in a process of their own (e2e/clock-ahead.ts). */
export function setClock(other: () => Date): void {
  read = other;
}
