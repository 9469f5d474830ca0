/** The states that jobs are counted by, as conditions on graphile_worker.jobs: one that runs its last attempt is not given up yet. */
export const jobStates = {
  waiting: "locked_at IS NULL AND attempts < max_attempts",
  running: "locked_at IS NOT NULL",
  failing: "last_error IS NOT NULL AND attempts < max_attempts",
  givenUp: "locked_at IS NULL AND attempts >= max_attempts",
} as const;

export type JobCounts = { task: string } & Record<keyof typeof jobStates, number>;

const counts = Object.entries(jobStates).map(
  // A float comes as a number: a bigint would come as text.
  ([state, condition]) => `(count(*) FILTER (WHERE ${condition}))::float8 AS "${state}"`,
);

/** Counts of each task's jobs, as JobCounts: what a SELECT from graphile_worker.jobs by task begins with. */
export const countJobs = `SELECT task_identifier AS task, ${counts.join(", ")}`;
