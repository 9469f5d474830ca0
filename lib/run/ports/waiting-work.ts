/** The amounts of waiting work in the database. They are totals of the installation: no metric names a workspace. */
import { setTimeout as pause } from "node:timers/promises";
import { query } from "#lib/core/db.ts";
import { countJobs, type JobCounts, jobStates } from "#lib/jobs/states.ts";

export interface Line extends JobCounts {
  /** How long the oldest due job has been due. */
  oldestSeconds: number;
}

export interface State {
  queue: Line[];
  deliveries: { waiting: number; oldestSeconds: number };
  /**
   * Requests that everyone has signed and that are not sealed yet. A failed attempt is recorded on the request; its job
   * ends normally.
   */
  sealing: { waiting: number; failing: number; oldestSeconds: number };
  audit: { events: number };
}

/** Numbers are cast to float8, so that pg returns them as numbers: it returns sums of bigint as text. */
const sql = {
  queue: `${countJobs}, greatest(0, coalesce(extract(epoch FROM now() - min(run_at)
        FILTER (WHERE ${jobStates.waiting})), 0))::float8 AS "oldestSeconds"
    FROM graphile_worker.jobs GROUP BY task`,
  deliveries: `SELECT count(*)::float8 AS waiting,
      greatest(0, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0))::float8 AS "oldestSeconds"
    FROM deliveries WHERE claimed_by IS NULL AND next_attempt_at IS NOT NULL`,
  sealing: `SELECT (count(*) FILTER (WHERE seal_error IS NULL))::float8 AS waiting,
      (count(*) FILTER (WHERE seal_error IS NOT NULL))::float8 AS failing,
      greatest(0, coalesce(extract(epoch FROM now() - min(updated_at)), 0))::float8 AS "oldestSeconds"
    FROM envelopes WHERE status = 'SEALING'`,
  audit: "SELECT coalesce(sum(seq), 0)::float8 AS events FROM workspace_heads",
};

const freshMs = 5000;
let last: { at: number; state: Promise<State | null> } | undefined;

/** Returns the state, cached for 5 seconds. Null while the database is unavailable. */
export function readState(): Promise<State | null> {
  const now = performance.now();
  if (!last || now - last.at > freshMs) last = { at: now, state: queryStateWithTimeout() };
  return last.state;
}

/** Prometheus waits for 10 seconds by default: a database that does not respond in time counts as unavailable. */
const patienceMs = 3000;

async function queryStateWithTimeout(): Promise<State | null> {
  const over = new AbortController();
  const late = pause(patienceMs, null, { signal: over.signal }).catch(() => null);
  try {
    return await Promise.race([queryState().catch(() => null), late]);
  } finally {
    over.abort();
  }
}

async function queryState(): Promise<State> {
  const one = async <Row extends object>(text: string) => (await query<Row>(text, []))[0]!;
  return {
    queue: await query<Line>(sql.queue, []),
    deliveries: await one<State["deliveries"]>(sql.deliveries),
    sealing: await one<State["sealing"]>(sql.sealing),
    audit: await one<State["audit"]>(sql.audit),
  };
}
