/**
 * The product as an operator runs it, all on this machine together with the client: one server, or two behind haproxy,
 * with a separate worker, one PostgreSQL, and a mail server.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { balancer } from "#e2e/cluster/balancer.ts";
import { type Mailbox, openMailbox } from "#e2e/mailbox.ts";
import { prepare } from "#e2e/prerequisites.ts";
import { freePort } from "#e2e/server.ts";
import { type BenchDatabase, openDatabase } from "./database.ts";
import type { Flags } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { cpuMs, pssMb } from "./processes.ts";
import { type Seeded, seeded } from "./seed.ts";
import { seedAround } from "./seed-around.ts";
import { type Server, startProduct, startWorker } from "./servers.ts";
import { cookieHeader, signIn } from "./sign-in.ts";

/** A database with a workspace of 100,000 contracts and what surrounds them, for opening sites on. */
export interface Ground {
  database: BenchDatabase;
  workspace: Seeded;
  client: pg.Client;
}

export interface Site {
  /** The address for clients: the only server, or haproxy. */
  url: string;
  port: number;
  workspace: Seeded;
  /** An owner's session cookie, as a header. */
  cookie: string;
  /** Contracts that accept another document version and another obligation. */
  drafts: string[];
  mailbox: Mailbox;
  worker: { start(): unknown; stop(): Promise<void> };
  /** Stops each server gracefully and starts it again, one after another; returns how many servers there are. */
  restartServers(): Promise<number>;
  /** Processor time used by each part, in milliseconds. */
  cpu(): Figures;
  /** Memory held by each part, in megabytes. */
  memory(): Figures;
  close(): Promise<void>;
}

export type Figures = Record<string, number>;

/** The machine, and its load average over the 15 minutes before the bench. */
export const machine = {
  cpu: cpus()[0]?.model ?? null,
  cores: availableParallelism(),
  memoryMb: Math.round(totalmem() / 2 ** 20),
  node: process.version,
  load: loadavg()[2],
};

/** Longer than haproxy takes to notice: two health checks, 300 ms apart. */
const drainSeconds = "2";

export async function openGround(flags: Flags, closing: AsyncDisposableStack): Promise<Ground> {
  prepare({ haproxy: ["haproxy"] });
  closeOnInterrupt(closing);
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  const workspace = (await seeded(database, ["main"])).main!;
  await seedAround(database.url, workspace);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  closing.defer(() => client.end());
  return { database, workspace, client };
}

export async function openSite(
  ground: Ground,
  serverCount: 1 | 2,
  { server: command }: Flags,
): Promise<Site> {
  await using closing = new AsyncDisposableStack();
  const { database, workspace } = ground;
  const folder = await mkdtemp(join(tmpdir(), "countersign-bench-site-"));
  closing.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const mailbox = await openMailbox();
  closing.defer(() => mailbox.close());
  const [front, first, second] = [await freePort(), await freePort(), await freePort()];
  const [port, serverPorts] = serverCount === 1 ? [first, [first]] : [front, [first, second]];
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...{ DATA_DIR: folder, BASE_URL: url, TRUSTED_PROXIES: String(serverCount - 1) },
    ...{ DRAIN_SECONDS: drainSeconds, SMTP_URL: mailbox.url, WEBHOOK_ALLOW_PRIVATE: "1" },
    ...{ MAILS_PER_ADDRESS_PER_HOUR: "0", SIGN_IN_ATTEMPTS: "0" },
  };
  const start = (at: number) => startProduct(database.url, command, { ...settings, PORT: String(at) });
  const servers: Server[] = [];
  closing.defer(async () => void (await Promise.all(servers.map((server) => server.close()))));
  for (const at of serverPorts) servers.push(await start(at));
  let worker: ReturnType<typeof startWorker> | undefined = startWorker(database.url, settings);
  closing.defer(() => worker?.close());
  const haproxy = serverCount === 2 ? balancer(front, [first, second]) : undefined;
  closing.defer(() => haproxy?.end("SIGTERM"));
  await haproxy?.start();
  const parts = (): [string, number | null | undefined][] => [
    ...servers.map(({ pid }, index): [string, number] => [`server ${index + 1}`, pid]),
    ["worker", worker?.child.pid],
    ["PostgreSQL", database.pid],
    ...(haproxy ? [["haproxy", haproxy.pid()] satisfies [string, number | undefined]] : []),
  ];
  const cookie = cookieHeader(await signIn(database.url, workspace.userIds[0]!, url));
  const drafts = await draftsOf(ground);
  const toClose = closing.move();
  return {
    ...{ url, port, workspace, mailbox, cookie, drafts },
    worker: {
      start: () => (worker ??= startWorker(database.url, settings)),
      stop: async () => {
        await worker?.close();
        worker = undefined;
      },
    },
    async restartServers() {
      for (const [index, at] of serverPorts.entries()) {
        await servers[index]!.close();
        servers[index] = await start(at);
      }
      return serverPorts.length;
    },
    cpu: () => ({ ...figures(parts(), cpuMs), "this client": ownCpuMs() }),
    memory: () => ({ ...figures(parts(), pssMb), "this client": process.memoryUsage.rss() / 2 ** 20 }),
    close: () => toClose.disposeAsync(),
  };
}

/** This process only: its children are listed as parts. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns figures only for parts that run on this machine. */
function figures(
  parts: [string, number | null | undefined][],
  figureOf: (pid: number) => number | null,
): Figures {
  const known = parts.map(([name, pid]) => [name, pid ? figureOf(pid) : null] as const);
  return Object.fromEntries(known.filter((one): one is [string, number] => one[1] !== null));
}

async function draftsOf({ client, workspace }: Ground): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM contracts c WHERE organization_id = $1 AND status = 'DRAFT' AND title NOT LIKE 'Bench %' AND NOT EXISTS
       (SELECT FROM envelopes e WHERE e.organization_id = c.organization_id AND e.contract_id = c.id) LIMIT 2000`,
    [workspace.organizationId],
  );
  return rows.map(({ id }) => id);
}
