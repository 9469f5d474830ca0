/** What breaks: one thing at a time, while everyone goes on, and how long it takes until all is well again. */
import { setTimeout as pause } from "node:timers/promises";
import { until } from "./ask.ts";
import type { Api } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import type { History } from "./history.ts";
import type { Part } from "./part.ts";

/** Breaks something and mends it; `random` says which of several, and for how long. */
type Fault = (cluster: Cluster, random: () => number) => Promise<void>;

type Choice = (parts: Cluster["parts"]) => Part[];

const oneOf = <One>(all: readonly One[], random: () => number): One =>
  all[Math.floor(random() * all.length)]!;

const longestAwayMs = 1500;

const kill =
  (choose: Choice): Fault =>
  async ({ parts }, random) => {
    const part = oneOf(choose(parts), random);
    await part.end("SIGKILL");
    await pause(random() * longestAwayMs);
    await part.start();
  };

const killAll =
  (choose: Choice): Fault =>
  async ({ parts }, random) => {
    await Promise.all(choose(parts).map((part) => part.end("SIGKILL")));
    await pause(random() * longestAwayMs);
    await Promise.all(choose(parts).map((part) => part.start()));
  };

const suspend =
  (choose: Choice): Fault =>
  async ({ parts }, random) => {
    const part = oneOf(choose(parts), random);
    part.suspend();
    await pause(5000);
    part.resume();
  };

/** A moment in which every connection to it is cut off, and none is let through. */
const cutOff =
  (name: keyof Cluster["addresses"]): Fault =>
  async ({ addresses, ports, primary }, random) => {
    const address = addresses[name];
    const port = name === "database" ? primary().port : ports[name];
    address.moveTo(0);
    await pause(random() * longestAwayMs);
    address.moveTo(port);
  };

export const faults: Record<string, Fault> = {
  "kill -9 of a server": kill(({ servers }) => servers),
  "kill -9 of a worker": kill(({ workers }) => workers),
  "kill -9 of both servers": killAll(({ servers }) => servers),
  "kill -9 of both workers": killAll(({ workers }) => workers),
  "kill -9 of PgBouncer": kill(({ pooler }) => [pooler]),
  "kill -9 of Redis": kill(({ redis }) => [redis]),
  "kill -9 of the S3 server": kill(({ files }) => [files]),
  "kill -9 of haproxy": kill(({ balancer }) => [balancer]),
  "kill -9 of a backend, and PostgreSQL's recovery": async ({ primary }) => {
    const [backend] = await primary().query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'countersign%' LIMIT 1",
    );
    if (backend) process.kill(backend.pid, "SIGKILL");
  },
  "a server stops for 5 s": suspend(({ servers }) => servers),
  "a worker stops for 5 s": suspend(({ workers }) => workers),
  "PgBouncer stops for 5 s": suspend(({ pooler }) => [pooler]),
  "Redis stops for 5 s": suspend(({ redis }) => [redis]),
  "the S3 server stops for 5 s": suspend(({ files }) => [files]),
  "connections to PgBouncer are cut off": cutOff("pooler"),
  "connections to PostgreSQL are cut off": cutOff("database"),
  "connections to Redis are cut off": cutOff("redis"),
  "connections to the S3 server are cut off": cutOff("files"),
  "both servers restart, one after the other": async ({ parts }) => {
    for (const server of parts.servers) {
      await server.end("SIGTERM");
      await server.start();
    }
  },
  "both workers restart, one after the other": async ({ parts }) => {
    for (const worker of parts.workers) {
      await worker.end("SIGTERM");
      await worker.start();
    }
  },
};

/** Once in a cluster's life, for there is one standby. */
export const promotion = "kill -9 of the primary, and the standby takes over";

/** What to break in a round: all faults equally often, by chance in their order, and the promotion at the end. */
export function planOf(count: number, before: number, random: () => number): string[] {
  const names = Object.keys(faults);
  const plan = Array.from({ length: count - 1 }, (_, index) => names[(before + index) % names.length]!);
  for (let at = plan.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [plan[at], plan[other]] = [plan[other]!, plan[at]!];
  }
  return [...plan, promotion];
}

export interface Broken {
  fault: string;
  /** When it began. */
  at: number;
  /** The longest that it took from then on until a contract was created and its webhook had come. */
  recoveryMs: number;
}

/** Breaks one thing. From its beginning until it is mended, and once more then, contracts are created. */
export async function breakOne(
  cluster: Cluster,
  { history, api, random }: { history: History; api: Api; random: () => number },
  fault: string,
): Promise<Broken> {
  const at = Date.now();
  let isMended = false;
  const breaking = (fault === promotion ? cluster.promote() : faults[fault]!(cluster, random)).then(
    () => (isMended = true),
  );
  breaking.catch(() => undefined);
  let recoveryMs = 0;
  for (let isLast = false; !isLast; ) {
    isLast = isMended;
    const began = Date.now();
    await probe(history, api);
    recoveryMs = Math.max(recoveryMs, Date.now() - began);
    if (!isLast) await Promise.race([breaking, pause(300)]);
  }
  return { fault, at, recoveryMs };
}

/** Recovery takes seconds: what has not come by then is noted, and what breaks next is broken all the same. */
const longestRecoveryMs = 60_000;

async function probe(history: History, api: Api): Promise<void> {
  const { id } = await api.create();
  const isTold = () => history.told.some((told) => told.what === "delivered" && told.subject === id);
  await until(`The webhook of ${id}`, isTold, longestRecoveryMs).catch(({ message: says }: Error) =>
    history.add({ what: "wronged", says }),
  );
}
