/** The jobs that a group of workers in this process is running. */
import type { WorkerEvents } from "graphile-worker";

export interface Running {
  /** The flags of the running jobs. */
  flags(): string[];
  /** Whether no job is running and all earlier ones have been marked as done. */
  isQuiet(): boolean;
}

/** Longer than the queue takes to mark a job as done. */
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
