/** How a program of ours learns that it is to end. */

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** One Ctrl-C comes twice, from the terminal and from npm, at the same moment. */
const sameMs = 1000;

/** Calls `stop` when it is asked to end, and `giveUp` when it is asked again: who does so does not wait. */
export function whenAskedToStop(stop: () => void, giveUp: () => void): void {
  let askedAt: number | undefined;
  const onSignal = () => {
    if (askedAt === undefined) {
      askedAt = Date.now();
      stop();
    } else if (Date.now() - askedAt > sameMs) giveUp();
  };
  for (const signal of signals) process.on(signal, onSignal);
}
