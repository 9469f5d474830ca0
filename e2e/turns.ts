/** How much of a piece of work the event loop does in one go, during which it serves nobody else. */

export interface Turns {
  /** Processor time of this thread, all in all. */
  totalMs: number;
  /** The most of it between two turns of the event loop. */
  longestMs: number;
}

export async function turnsOf(work: () => Promise<unknown>): Promise<Turns> {
  const turns: Turns = { totalMs: 0, longestMs: 0 };
  let before = process.threadCpuUsage();
  let next: NodeJS.Immediate;
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const ms = (user + system) / 1000;
    turns.totalMs += ms;
    turns.longestMs = Math.max(turns.longestMs, ms);
  };
  const turn = () => {
    look();
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  await work();
  clearImmediate(next);
  look();
  return turns;
}
