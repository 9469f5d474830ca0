/** Runs one operation against several servers, in turns, and collects the figures. */
import { Connection } from "./http-client.ts";
import { cpuMs, rssMb } from "./processes.ts";
import type { Server } from "./servers.ts";

export const connectionCount = 8;

/** Something that can be requested repeatedly; several targets may use the same server. */
export interface Target {
  server: Server;
  status: number;
  next(): string;
}

export interface Figures {
  rps: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  /** Milliseconds of processor time for 1,000 requests: server, database, both. */
  serverCpuMsPer1000: number | null;
  databaseCpuMsPer1000: number | null;
  cpuMsPer1000: number | null;
  rssMb: number | null;
}

interface Tally {
  times: number[];
  seconds: number;
  serverMs: number | null;
  databaseMs: number | null;
  rss: number | null;
}

export interface Plan {
  seconds: number;
  rounds: number;
  databasePid: number | null;
  around(slice: () => Promise<void>): Promise<void>;
}

/** Returns one figure for each target. The turns are short, so that other load on the machine affects all alike. */
export async function measure(targets: Target[], plan: Plan): Promise<Figures[]> {
  const tallies = targets.map(
    (): Tally => ({ times: [], seconds: 0, serverMs: 0, databaseMs: 0, rss: null }),
  );
  const open = ({ server }: Target) =>
    Promise.all(Array.from({ length: connectionCount }, () => Connection.open(server.port)));
  const connections = await Promise.all(targets.map(open));
  const warmUp: Tally = { times: [], seconds: 0, serverMs: 0, databaseMs: 0, rss: null };
  const slice = (index: number, tally: Tally, seconds: number) =>
    plan.around(() => runSlice(targets[index]!, connections[index]!, tally, seconds, plan.databasePid));
  for (const index of targets.keys()) await slice(index, warmUp, Math.min(1, plan.seconds));
  for (let round = 0; round < plan.rounds; round++) {
    for (const [index, tally] of tallies.entries()) await slice(index, tally, plan.seconds);
  }
  for (const connection of connections.flat()) connection.close();
  return tallies.map(figuresOf);
}

async function runSlice(
  target: Target,
  connections: Connection[],
  tally: Tally,
  seconds: number,
  databasePid: number | null,
): Promise<void> {
  const cpuOf = () => [cpuMs(target.server.pid), cpuMs(databasePid)] as const;
  const before = cpuOf();
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(connections.map((connection) => keepAsking(connection, target, tally.times, end)));
  tally.seconds += (performance.now() - started) / 1000;
  const after = cpuOf();
  tally.serverMs = add(tally.serverMs, before[0], after[0]);
  tally.databaseMs = add(tally.databaseMs, before[1], after[1]);
  const rss = rssMb(target.server.pid);
  if (rss !== null) tally.rss = Math.max(tally.rss ?? 0, rss);
}

async function keepAsking(
  connection: Connection,
  target: Target,
  times: number[],
  end: number,
): Promise<void> {
  for (let asked = performance.now(); asked < end; ) {
    const reply = await connection.ask(target.next());
    const now = performance.now();
    if (reply.status !== target.status) {
      throw new Error(`${target.server.name} answered ${reply.status} instead of ${target.status}.`);
    }
    times.push(now - asked);
    asked = now;
  }
}

function add(sum: number | null, before: number | null, after: number | null): number | null {
  return sum === null || before === null || after === null ? null : sum + after - before;
}

function figuresOf({ times, seconds, serverMs, databaseMs, rss }: Tally): Figures {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const per1000 = (ms: number | null) => (ms === null ? null : (ms / times.length) * 1000);
  return {
    rps: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    requests: times.length,
    serverCpuMsPer1000: per1000(serverMs),
    databaseCpuMsPer1000: per1000(databaseMs),
    cpuMsPer1000: serverMs === null || databaseMs === null ? null : per1000(serverMs + databaseMs),
    rssMb: rss,
  };
}
