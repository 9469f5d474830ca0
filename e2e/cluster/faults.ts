/** The faults: one at a time, while everyone keeps working, and how long it takes until everything works again. */
import { setTimeout as pause } from "node:timers/promises";
import { until } from "./ask.ts";
import type { Api } from "./clients.ts";
import { type Cluster, canMount } from "./cluster.ts";
import type { History } from "./history.ts";
import type { Part, Way } from "./part.ts";

/** Breaks something and repairs it; `random` chooses one of several parts, and for how long. */
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

/** For a moment, every connection to it is cut, and new ones are refused. */
const cutOff =
  (name: keyof Cluster["addresses"]): Fault =>
  async ({ addresses, ports, primary }, random) => {
    const address = addresses[name];
    const port = name === "database" ? primary().port : ports[name];
    address.moveTo(0);
    await pause(random() * longestAwayMs);
    address.moveTo(port);
  };

/** Longer than any caller waits for a response, if it has a timeout at all. */
const lostMs = 12_000;

/** Packets are lost in both directions for a while, and no connection is closed. */
const hold =
  (name: keyof Cluster["addresses"]): Fault =>
  async ({ addresses }) => {
    addresses[name].hold();
    await pause(lostMs);
    addresses[name].release();
  };

/** Like a firewall that restarts. Servers notice in the end; clients must notice by themselves. */
const forget =
  (name: keyof Cluster["addresses"]): Fault =>
  async ({ addresses }) => {
    addresses[name].forget();
    await pause(lostMs);
    addresses[name].giveUpForgotten();
  };

const files =
  (condition: "full" | "slow"): Fault =>
  async ({ setFiles }) => {
    await setFiles(condition);
    await pause(6000);
    await setFiles("well");
  };

/** PostgreSQL stops entirely if its write-ahead log has no space. */
const fillDatabase: Fault = async ({ addresses, databases: { disk, primary } }, random) => {
  await disk?.fill();
  if (random() < 0.5) await primary.query("SELECT pg_switch_wal()").catch(() => undefined);
  await pause(4000);
  await disk?.makeRoom();
  await primary.start();
  addresses.database.moveTo(primary.port, "kept");
};

/** Every commit waits until the standby has written it, which happens once a second. */
const slowDatabase: Fault = async ({ databases: { standby } }) => {
  for (let turns = 0; turns < 6; turns++) {
    const [receiver] = await standby.query<{ pid: number }>("SELECT pid FROM pg_stat_wal_receiver");
    if (receiver) process.kill(receiver.pid, "SIGSTOP");
    await pause(1000);
    if (receiver) process.kill(receiver.pid, "SIGCONT");
    await pause(20);
  }
};

/** Restarts one of them in a different way, and after a while as before. */
const restart =
  (choose: Choice, way: Way): Fault =>
  async ({ parts }, random) => {
    const part = oneOf(choose(parts), random);
    await part.end("SIGTERM");
    await part.start(way);
    await pause(5000);
    await part.end("SIGTERM");
    await part.start();
  };

/** On a machine with a wrong clock. */
const wrongBy = (hours: number): Way => ({
  env: { CLOCK_WRONG_BY_SECONDS: String(hours * 3600) },
  first: ["--import", "./e2e/wrong-clock.ts"],
});

/** Only if Git's history reaches back to that version. */
const before = process.env.VERSION_BEFORE;

/** Faults from which documents have to recover. */
const faultsOfFiles: Record<string, Fault> = {
  "kill -9 of the S3 server": kill(({ files }) => [files]),
  "the S3 server stops for 5 s": suspend(({ files }) => [files]),
  "connections to the S3 server are cut off": cutOff("files"),
  "packets to the S3 server get lost for 12 s": hold("files"),
  "connections to the S3 server are forgotten, not closed": forget("files"),
  "the S3 server's disk is full": files("full"),
  "the S3 server takes two seconds for each answer": files("slow"),
};

export const faults: Record<string, Fault> = {
  ...faultsOfFiles,
  "kill -9 of a server": kill(({ servers }) => servers),
  "kill -9 of a worker": kill(({ workers }) => workers),
  "kill -9 of both servers": killAll(({ servers }) => servers),
  "kill -9 of both workers": killAll(({ workers }) => workers),
  "kill -9 of PgBouncer": kill(({ pooler }) => [pooler]),
  "kill -9 of Redis": kill(({ redis }) => [redis]),
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
  "connections to PgBouncer are cut off": cutOff("pooler"),
  "connections to PostgreSQL are cut off": cutOff("database"),
  "connections to Redis are cut off": cutOff("redis"),
  "packets to PgBouncer get lost for 12 s": hold("pooler"),
  "packets to PostgreSQL get lost for 12 s": hold("database"),
  "packets to Redis get lost for 12 s": hold("redis"),
  "connections to PgBouncer are forgotten, not closed": forget("pooler"),
  "connections to PostgreSQL are forgotten, not closed": forget("database"),
  "connections to Redis are forgotten, not closed": forget("redis"),
  "kill -9 of PostgreSQL, which starts again": async ({ addresses, primary }, random) => {
    await primary().kill();
    await pause(random() * longestAwayMs);
    await primary().start();
    addresses.database.moveTo(primary().port);
  },
  ...(canMount ? { "PostgreSQL's disk is full": fillDatabase } : {}),
  "PostgreSQL takes a second for each commit": slowDatabase,
  "a server's clock is an hour ahead": restart(({ servers }) => servers, wrongBy(1)),
  "a server's clock is an hour behind": restart(({ servers }) => servers, wrongBy(-1)),
  "a worker's clock is an hour ahead": restart(({ workers }) => workers, wrongBy(1)),
  "a worker's clock is an hour behind": restart(({ workers }) => workers, wrongBy(-1)),
  ...(before
    ? {
        "a server is of the version before": restart(({ servers }) => servers, { cwd: before }),
        "a worker is of the version before": restart(({ workers }) => workers, { cwd: before }),
      }
    : {}),
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

/** Once per cluster, because there is only one standby. */
export const promotion = "kill -9 of the primary, and the standby takes over";

/** The faults of a round: all equally often, in random order, with the promotion at the end. */
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
  /**
   * The longest time, during or after the fault, until a contract was created and its webhook arrived. If files were
   * broken, this includes uploading a document.
   */
  recoveryMs: number;
}

/**
 * Breaks one thing. Creates contracts from the beginning until it is repaired, and once more afterwards. It is repaired
 * when this function ends, even if it throws.
 */
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
  try {
    for (let isLast = false; !isLast; ) {
      isLast = isMended;
      const began = Date.now();
      await probe(history, api, fault in faultsOfFiles);
      recoveryMs = Math.max(recoveryMs, Date.now() - began);
      if (!isLast) await Promise.race([breaking, pause(300)]);
    }
  } finally {
    await breaking.catch(() => undefined);
  }
  return { fault, at, recoveryMs };
}

/**
 * Recovery takes seconds, except for database connections that no one closed: those are given up after two minutes of
 * silence (docs/operating.md). What has not recovered by then is recorded, and the next fault starts anyway.
 */
const longestRecoveryMs = 150_000;

async function probe(history: History, api: Api, withDocument: boolean): Promise<void> {
  try {
    const contract = await api.create();
    if (withDocument) await api.upload(contract);
    const isTold = () =>
      history.told.some((told) => told.what === "delivered" && told.subject === contract.id);
    await until(`The webhook of ${contract.id}`, isTold, longestRecoveryMs);
  } catch (error) {
    history.add({ what: "wronged", says: (error as Error).message });
  }
}
