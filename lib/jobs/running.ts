/** What a crew of workers in this process is at. */
import type { WorkerEvents } from "graphile-worker";

export interface Running {
  /** The flags of the jobs that are being done. */
  flags(): string[];
  /** It is at nothing, and what it was at has been noted as done. */
  isQuiet(): boolean;
}

/** Longer than the queue takes to note that a job has ended. */
const notedAfterMs = 10_000;

export function watchRunning(events: WorkerEvents): Running {
  const running = new Map<string, string[]>();
  let endedAt = performance.now();
  events.on("job:start", ({ job }) => running.set(job.id, Object.keys(job.flags ?? {})));
  for (const end of ["job:success", "job:error"] as const)
    events.on(end, ({ job }) => {
      running.delete(job.id);
      endedAt = performance.now();
    });
  const isQuiet = () => running.size === 0 && performance.now() - endedAt > notedAfterMs;
  return { flags: () => [...running.values()].flat(), isQuiet };
}
