/** The state of background jobs, for operators: which wait, run or fail, and why. */
import { query } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { countJobs, type JobCounts } from "#lib/jobs/states.ts";

interface Job {
  id: string;
  task: string;
  attempts: number;
  maxAttempts: number;
  lastError: string | null;
  /** The time of the next attempt; null during the last attempt and after it. */
  runAt: string | null;
  createdAt: string;
}

const columns = `id::text, task_identifier AS task, attempts, max_attempts AS "maxAttempts",
  last_error AS "lastError", CASE WHEN attempts < max_attempts THEN run_at END AS "runAt", created_at AS "createdAt"`;

/** The number of failing jobs that are listed individually. */
const shown = 200;

/** Returns the counts of jobs by task and state, and the jobs whose last attempt failed. */
export async function listJobs() {
  const tasks = await query<JobCounts>(
    `${countJobs} FROM graphile_worker.jobs GROUP BY task ORDER BY task`,
    [],
  );
  const failing = await query<Job>(
    `SELECT ${columns} FROM graphile_worker.jobs WHERE last_error IS NOT NULL ORDER BY created_at, id LIMIT ${shown}`,
    [],
  );
  return { tasks, failing };
}

/** Runs a job again at once, with its attempts reset. `retried` is null if the job is already done. */
export async function retryJob(id: string): Promise<{ retried: Job | null }> {
  const [rescheduled] = await query<{ id: string }>(
    "SELECT id::text FROM graphile_worker.reschedule_jobs(ARRAY[$1::bigint], run_at => now(), attempts => 0)",
    [id],
  );
  if (!rescheduled) {
    throw new Refusal(
      "not_found",
      `There is no waiting job ${id}: it is done, is running, or never existed.`,
    );
  }
  const [retried] = await query<Job>(`SELECT ${columns} FROM graphile_worker.jobs WHERE id = $1::bigint`, [
    id,
  ]);
  return { retried: retried ?? null };
}
