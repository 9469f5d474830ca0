/** The product as processes that tests can kill separately: a database, a server without background work, workers. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate } from "#prisma/migrate.ts";
import { workspaceIn } from "./admin.ts";
import { guarded } from "./cached-reads.ts";
import { type Api, apiWith } from "./fixtures.ts";
import { guardWorkspaces } from "./one-workspace.ts";
import { textsIn } from "./outbox.ts";
import { node, type RunningServer, root, startServer, strictly } from "./server.ts";

export interface Installation {
  /** Uses a key of the only workspace. */
  api: Api;
  key: string;
  ownerId: string;
  server: RunningServer;
  /** The environment for programs that work on the same data. */
  environment: Record<string, string>;
  organizationId: string;
  /** Starts a worker with additional settings and a clock that is `aheadSeconds` ahead. */
  work(settings?: Record<string, string>, aheadSeconds?: number): WorkerProcess;
  select<Row extends object>(sql: string): Promise<Row[]>;
  /** Creates `count` requests that everyone has signed and `open` that no one has signed; returns their ids. */
  sign(count: number, open?: number): Promise<Record<"signed" | "open", string[]>>;
  /** Returns the texts of the e-mails in the outbox, without their soft line breaks. */
  outbox(): Promise<string[]>;
  close(): Promise<void>;
}

export interface WorkerProcess {
  ready: Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Suspends the process, as can happen on a machine that is out of memory; `resume` lets it continue. */
  pause(): void;
  resume(): void;
}

export async function install(
  settings: Record<string, string>,
  /** Returns DATA_DIR as the programs get it. */
  said: (dataDir: string) => string = (dataDir) => dataDir,
): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-faults-"));
  const postgres = await openPostgres(dataDir);
  await migrate(postgres.url);
  await guardWorkspaces(postgres.url);
  // All e-mails go to the one owner here.
  const environment = {
    MAILS_PER_ADDRESS_PER_HOUR: "0",
    ...settings,
    DATABASE_URL: guarded(postgres.url),
    DATA_DIR: said(dataDir),
  };
  const { key, userId, organizationId } = await workspaceIn(environment);
  const server = await startServer({ WORKER: "off", RATE_LIMIT_PER_MINUTE: "0", ...environment });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const workers = new Set<WorkerProcess>();
  return {
    api: apiWith(key, server.url),
    key,
    ownerId: userId,
    server,
    environment,
    organizationId,
    work(ownSettings = {}, aheadSeconds = 0) {
      const worker = startWorker({ ...environment, ...ownSettings }, aheadSeconds);
      workers.add(worker);
      return worker;
    },
    select: async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows,
    async sign(count, open = 0) {
      const program = join(root, "e2e", "sign-everything.ts");
      const args = [program, organizationId, userId, String(count), String(open)];
      const env = { ...process.env, ...environment };
      const { stdout } = await promisify(execFile)(node, args, { cwd: root, env });
      return JSON.parse(stdout.trim().split("\n").at(-1)!);
    },
    async outbox() {
      return (await textsIn(dataDir)).map((mail) => mail.replaceAll("=\r\n", ""));
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.end("SIGKILL")));
      await server.stop();
      await client.end();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function startWorker(environment: Record<string, string>, aheadSeconds: number): WorkerProcess {
  const clock = ["--import", join(root, "e2e", "clock-ahead.ts")];
  const child = spawn(node, [...strictly, ...clock, join(root, "lib", "run", "worker.ts")], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: "error", CLOCK_AHEAD_SECONDS: String(aheadSeconds), ...environment },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const exited = once(child, "close");
  return {
    ready: readiness(child),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

function readiness(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = "";
  child.stderr!.on("data", (chunk) => {
    said += chunk;
    if (said.includes("ready")) resolve();
  });
  child.once("close", () => reject(new Error(`The worker ended before it was ready:\n${said}`)));
  promise.catch(() => undefined);
  return promise;
}
