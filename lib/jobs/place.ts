/** Positions of jobs in the queue. */
import { select } from "#lib/core/change.ts";

/** Positions beyond this are not counted: nobody watches a page for that long. */
const furthest = 1000;

/**
 * Returns the number of jobs of a task that come before those with these keys. Keys of jobs that are not waiting, or
 * are too far back, are left out.
 */
export async function jobsAhead(task: string, keys: string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await select<{ key: string; ahead: number }>(
    `SELECT key, ahead FROM (
       SELECT key, (row_number() OVER line - 1)::int AS ahead FROM graphile_worker.jobs
       WHERE task_identifier = $1 AND (locked_at IS NOT NULL OR (attempts < max_attempts AND run_at <= now()))
       WINDOW line AS (ORDER BY locked_at IS NULL, priority, run_at, id)
       LIMIT ${furthest}) AS waiting
     WHERE key = ANY($2::text[])`,
    [task, keys],
  );
  return new Map(rows.map(({ key, ahead }) => [key, ahead]));
}
