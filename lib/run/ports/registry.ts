/** The metrics of this process, in Prometheus's format. Loaded only if metrics are on. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { poolState, replicaReads } from "#lib/core/db.ts";
import { setResponseCounter } from "#lib/http/response-counter.ts";
import { readState, type State } from "./waiting-work.ts";

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function openRegistry(): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  countRequests(registers);
  const help = "Database connections of this process by state";
  gauge(registers, { name: "pool_connections", help, labelNames: ["state"] }, (connections) => {
    for (const [state, value] of Object.entries(poolState())) connections.set({ state }, value);
  });
  countReplicaReads(registers);
  showState(registers);
  return registry;
}

interface Description {
  name: string;
  help: string;
  labelNames?: string[];
}

/** Adds a gauge. `collect` sets its value each time metrics are read. */
function gauge(
  registers: Registry[],
  { name, help, labelNames = [] }: Description,
  collect: (gauge: Gauge) => void | Promise<void>,
): void {
  new Gauge({
    ...{ registers, name: `countersign_${name}`, help, labelNames },
    collect() {
      return collect(this);
    },
  });
}

/** Counts heavy reads by where they were answered: a replica that is always behind or unreachable is of no use. */
function countReplicaReads(registers: Registry[]): void {
  new Counter({
    registers,
    name: "countersign_replica_reads_total",
    help: "Heavy reads by where they were answered",
    labelNames: ["where"],
    collect() {
      this.reset();
      for (const [where, count] of Object.entries(replicaReads())) this.inc({ where }, count);
    },
  });
}

function countRequests(registers: Registry[]): void {
  const requests = new Counter({
    registers,
    name: "countersign_requests_total",
    help: "Responses by operation and status",
    labelNames: ["operation", "status"],
  });
  const seconds = new Histogram({
    registers,
    name: "countersign_request_seconds",
    help: "Response time by operation",
    labelNames: ["operation"],
    buckets,
  });
  setResponseCounter((operation, status, took) => {
    requests.inc({ operation, status });
    seconds.observe({ operation }, took);
  });
}

/**
 * Metrics from the database, which are the same in all processes. While it is unreachable, only `database_up` is
 * reported.
 */
function showState(registers: Registry[]): void {
  const show = (
    name: string,
    help: string,
    labelNames: string[],
    set: (gauge: Gauge, state: State) => void,
  ) =>
    gauge(registers, { name, help, labelNames }, async (shown) => {
      const state = await readState();
      shown.reset();
      if (state) set(shown, state);
      else if (labelNames.length === 0) shown.remove();
    });
  const help = "1 while this process can reach the database";
  gauge(registers, { name: "database_up", help }, async (up) => up.set((await readState()) ? 1 : 0));
  show("queue_jobs", "Jobs by task and state", ["task", "state"], (jobs, { queue }) => {
    for (const { task, waiting, running, failing, givenUp } of queue) {
      const states = { waiting, running, failing, given_up: givenUp };
      for (const [state, value] of Object.entries(states)) jobs.set({ task, state }, value);
    }
  });
  show("queue_oldest_seconds", "How long the oldest due job has waited", ["task"], (age, { queue }) => {
    for (const { task, oldestSeconds } of queue) age.set({ task }, oldestSeconds);
  });
  show("deliveries_waiting", "Webhook deliveries waiting for an attempt", [], (waiting, { deliveries }) =>
    waiting.set(deliveries.waiting),
  );
  show("deliveries_oldest_seconds", "How long the oldest due attempt has waited", [], (age, { deliveries }) =>
    age.set(deliveries.oldestSeconds),
  );
  show(
    "sealing_requests",
    "Fully signed requests that are not sealed yet",
    ["state"],
    (requests, { sealing }) => {
      for (const state of ["waiting", "failing"] as const) requests.set({ state }, sealing[state]);
    },
  );
  show(
    "sealing_oldest_seconds",
    "How long the oldest of these has been fully signed",
    [],
    (age, { sealing }) => age.set(sealing.oldestSeconds),
  );
  show("audit_events", "Events in the audit logs of all workspaces", [], (events, { audit }) =>
    events.set(audit.events),
  );
}
