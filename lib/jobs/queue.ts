/** Enqueues jobs in the transaction that causes them: a job exists if and only if the transaction commits. */
import { runMigrations } from "graphile-worker";
import { openPool, type Transaction } from "#lib/core/db.ts";

/** Creates the queue's tables, if no worker has yet. */
export async function prepareQueue(): Promise<void> {
  const pool = openPool(1);
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}

export interface QueueOptions {
  /** With graphile-worker's exponential backoff, 12 attempts take 16 hours, the default 25 three days. */
  maxAttempts?: number;
  /** A waiting job with this key is replaced, so there is only one. */
  jobKey?: string;
  runAt?: Date;
  /** Jobs with a lower number run first; 0 by default. */
  priority?: number;
  /**
   * A workspace's id. Shares take turns: a share's jobs of one task are numbered in rounds, starting with the current
   * one, and run in the order of their rounds. So a workspace's hundredth job waits for the first job of every other
   * workspace.
   */
  share?: string;
}

/** The flag of a share's jobs. A worker that runs one of them can use it to skip the others for now. */
const shareFlag = (share: string): string => `share ${share}`;

/** The highest number of rounds. Jobs beyond it run in the order of their times. */
const maxRounds = 20_000;

/** Enqueues a job for a task of lib/run/tasks.ts. `payload` is stored as JSON. */
export async function enqueue(
  tx: Transaction,
  task: string,
  payload: object,
  { maxAttempts, jobKey, runAt, priority = 0, share }: QueueOptions = {},
): Promise<void> {
  const flag = share === undefined ? null : shareFlag(share);
  await tx.$queryRaw`SELECT id::text FROM graphile_worker.add_job(${task}::text, ${JSON.stringify(payload)}::json,
    run_at => ${runAt ?? null}::timestamptz,
    max_attempts => ${maxAttempts ?? null}::integer, job_key => ${jobKey ?? null}::text,
    flags => CASE WHEN ${flag}::text IS NOT NULL THEN ARRAY[${flag}::text] END,
    priority => CASE WHEN ${flag}::text IS NULL THEN ${priority}::integer ELSE (
      SELECT least(${priority + maxRounds}::integer, coalesce(
        greatest(min(priority), max(priority) FILTER (WHERE jsonb_exists(flags, ${flag}::text)) + 1),
        ${priority}::integer))
      FROM graphile_worker.jobs
      WHERE task_identifier = ${task}::text AND run_at <= now() AND attempts < max_attempts) END)`;
}

/** Enqueues several jobs of one share, in order. */
export async function enqueueAll(
  tx: Transaction,
  task: string,
  jobs: { payload: object; jobKey: string }[],
  share: string,
): Promise<void> {
  const flag = shareFlag(share);
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload));
  await tx.$queryRaw`
    WITH round AS (
      SELECT coalesce(greatest(min(priority), max(priority) FILTER (WHERE jsonb_exists(flags, ${flag}::text)) + 1), 0) AS first
      FROM graphile_worker.jobs
      WHERE task_identifier = ${task}::text AND run_at <= now() AND attempts < max_attempts),
    specs AS (
      SELECT array_agg((${task}::text, payload::json, NULL, NULL, NULL, key,
        least(${maxRounds}::integer, round.first + position::integer - 1), ARRAY[${flag}::text])::graphile_worker.job_spec
        ORDER BY position) AS all
      FROM round, unnest(${payloads}::text[], ${jobs.map(({ jobKey }) => jobKey)}::text[])
        WITH ORDINALITY AS job (payload, key, position))
    SELECT count(*)::int FROM specs, graphile_worker.add_jobs(specs.all)`;
}
