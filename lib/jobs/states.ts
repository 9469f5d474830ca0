/**
 * The states by which jobs are counted, as conditions on graphile_worker.jobs. A job that runs its last attempt is not
 * given up yet.
 */
export const jobStates = {
  waiting: "locked_at IS NULL AND attempts < max_attempts",
  running: "locked_at IS NOT NULL",
  failing: "last_error IS NOT NULL AND attempts < max_attempts",
  givenUp: "locked_at IS NULL AND attempts >= max_attempts",
} as const;

export type JobCounts = { task: string } & Record<keyof typeof jobStates, number>;

const counts = Object.entries(jobStates).map(
  // pg returns a float as a number, but a bigint as text.
  ([state, condition]) => `(count(*) FILTER (WHERE ${condition}))::float8 AS "${state}"`,
);

/**
 * Counts each task's jobs, as JobCounts: the beginning of a SELECT from graphile_worker.jobs that is grouped by task.
 */
export const countJobs = `SELECT task_identifier AS task, ${counts.join(", ")}`;
