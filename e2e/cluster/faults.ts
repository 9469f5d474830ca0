/** What breaks: one thing at a time, while everyone goes on, and how long it takes until all is well again. */
import { setTimeout as pause } from "node:timers/promises";
import { until } from "./ask.ts";
import type { Api } from "./clients.ts";
import { type Cluster, canMount } from "./cluster.ts";
import type { History } from "./history.ts";
import type { Part, Way } from "./part.ts";

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

/** Longer than anyone waits for an answer, who waits for one at all. */
const lostMs = 12_000;

/** Packets get lost in both directions for a while, and no connection is closed. */
const hold =
  (name: keyof Cluster["addresses"]): Fault =>
  async ({ addresses }) => {
    addresses[name].hold();
    await pause(lostMs);
    addresses[name].release();
  };

/** As by a firewall that restarts. Those who serve notice in the end; those who asked have to by themselves. */
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

/** PostgreSQL stops altogether where its log of changes finds no room. */
const fillDatabase: Fault = async ({ addresses, databases: { disk, primary } }, random) => {
  await disk?.fill();
  if (random() < 0.5) await primary.query("SELECT pg_switch_wal()").catch(() => undefined);
  await pause(4000);
  await disk?.makeRoom();
  await primary.start();
  addresses.database.moveTo(primary.port, "kept");
};

/** Every commit waits for the standby to have written it, which it does once a second. */
const slowDatabase: Fault = async ({ databases: { standby } }) => {
  for (let turns = 0; turns < 6; turns++) {
    const [receiver] = await standby.query<{ pid: number }>("SELECT pid FROM pg_stat_wal_receiver");
    if (receiver) process.kill(receiver.pid, "SIGSTOP");
    await pause(1000);
    if (receiver) process.kill(receiver.pid, "SIGCONT");
    await pause(20);
  }
};

/** Restarts one of them in another way, and after a while again as it was. */
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

/** On a machine whose clock is wrong. */
const wrongBy = (hours: number): Way => ({
  env: { CLOCK_WRONG_BY_SECONDS: String(hours * 3600) },
  first: ["--import", "./e2e/wrong-clock.ts"],
});

/** Where Git's history reaches back to it. */
const before = process.env.VERSION_BEFORE;

/** Those that documents have to recover from. */
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
  /**
   * The longest that it took from then on until a contract was created and its webhook had come, and, where files were
   * broken, a document was uploaded to it.
   */
  recoveryMs: number;
}

/**
 * Breaks one thing. From its beginning until it is mended, and once more then, contracts are created. It is mended when this
 * ends, however it ends.
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
 * Recovery takes seconds, but for connections to a database that no one closed: after two minutes of silence they are given
 * up (docs/operating.md). What has not come by then is noted, and what breaks next is broken all the same.
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
