/** Puts jobs into the queue, in the transaction of what they are about: there is a job if and only if it commits. */
import { runMigrations } from "graphile-worker";
import { database, type Transaction } from "./db.ts";

/** Makes the tables that jobs are put into, where no worker has yet. */
export async function prepareQueue(): Promise<void> {
  await runMigrations({ pgPool: database().pool });
}

export interface QueueOptions {
  /** With graphile-worker's growing pauses 12 attempts take 16 hours, the default 25 three days. */
  maxAttempts?: number;
  /** A job of this key that has not begun is replaced, so there is one of it. */
  jobKey?: string;
  runAt?: Date;
  /** Jobs of one queue run one after the other. */
  queueName?: string;
  /** Lower ones go first; 0 where nothing is said. */
  priority?: number;
}

/** Names the task of lib/jobs.ts; `payload` is ids, as JSON. */
export async function enqueue(
  tx: Transaction,
  task: string,
  payload: object,
  { maxAttempts, jobKey, runAt, queueName, priority }: QueueOptions = {},
): Promise<void> {
  await tx.$queryRaw`SELECT id::text FROM graphile_worker.add_job(${task}::text, ${JSON.stringify(payload)}::json,
    queue_name => ${queueName ?? null}::text, run_at => ${runAt ?? null}::timestamptz,
    max_attempts => ${maxAttempts ?? null}::integer, job_key => ${jobKey ?? null}::text,
    priority => ${priority ?? null}::integer)`;
}
