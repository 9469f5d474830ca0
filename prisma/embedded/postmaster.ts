import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, fstatSync, openSync, renameSync, statSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Cluster } from "./cluster.ts";
import { commandFor } from "./unprivileged.ts";

/** The server process of a cluster, according to the lock file that PostgreSQL writes. */
export type Postmaster = { pid: number; port: number; state: "starting" | "ready" | "stopping" };

/** A server that this process has just started. */
export type Launch = { ended(): boolean; failure(): Promise<StartFailure> };

/** passing: the cause is temporary (the port was just taken, or another process started the server first). */
export type StartFailure = { error: Error; passing: boolean };

const run = promisify(execFile);
const logLimitBytes = 16 * 1024 * 1024;
const stopLimitMs = 120_000;

/** The cluster's running server; undefined if there is none, so that it can be started. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const noted = await readLockFile(folder);
  return noted && (await isPostmaster(noted.pid, folder)) ? noted : undefined;
}

async function readLockFile(folder: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const pid = Number(lines[0]);
  if (!(pid > 0)) return undefined;
  const said = lines[7]?.trim();
  const state = said === "ready" || said === "stopping" ? said : "starting";
  return { pid, port: Number(lines[3]), state };
}

/** A lock file may date from before the last boot, and its process id may belong to any process by now. */
async function isPostmaster(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const args = await readArguments(pid);
  if (args === undefined) return true;
  if (!basename(args[0] ?? "").startsWith("postgres")) return false;
  // If the folder was moved while the server ran, only its working directory identifies it.
  return args.includes(folder) || (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === folder;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A process's arguments: empty for a zombie, undefined if this system cannot tell. */
async function readArguments(pid: number): Promise<string[] | undefined> {
  if (existsSync("/proc/self/cmdline")) {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  }
  const listed = await run("ps", ["-ww", "-o", "args=", "-p", String(pid)]).catch(() => undefined);
  return listed?.stdout.trim().split(" ");
}

/**
 * Whether a server that accepts no connections never will: if the disk was full during crash recovery, PostgreSQL 18
 * may wait forever for a recovery that none of its processes performs any more. False if this system cannot tell.
 */
export async function hasNoRecovery({ pid, state }: Postmaster): Promise<boolean> {
  // A stopping server has no recovery either.
  if (state === "stopping") return false;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => undefined);
  if (!children) return false;
  const titles = await Promise.all(
    children
      .trim()
      .split(" ")
      .map((child) => readArguments(Number(child))),
  );
  const does = (what: string) => titles.some((title) => title?.[0]?.startsWith(`postgres: ${what}`));
  // A server that has just started has no children yet, or some that have not set their titles.
  return does("checkpointer") && !does("startup") && !does("walwriter");
}

/** Starts the server on the wanted port if that is free, even if a failed start has left no lock file that names it. */
export async function launchPostmaster(cluster: Cluster, wanted?: number): Promise<Launch> {
  const stale = await readLockFile(cluster.folder);
  const port = await findFreePort(wanted ?? stale?.port);
  const command = commandFor(
    cluster.account,
    cluster.postgres,
    serverArguments(cluster, port),
    cluster.folder,
  );
  const log = openLog(cluster.logFile);
  const offset = fstatSync(log).size;
  const server = spawn(command.file, command.args, {
    ...command.options,
    env: { ...command.options.env, ...(await ignoreReusedPid(stale, cluster.folder)) } as NodeJS.ProcessEnv,
    // In its own session: Ctrl-C in the terminal is meant for us, and we stop the server when we are done.
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  server.unref();
  return watch(server, cluster.logFile, offset);
}

function serverArguments({ folder }: Cluster, port: number): string[] {
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", logging_collector: "off" };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", folder, "-p", String(port), ...flags];
}

/**
 * After a container's restart, the process id in the lock file often belongs to one of our processes, and PostgreSQL
 * would take that for a running server. It ignores the process id in this variable, with which pg_ctl passes its
 * own. Never pass an id that could be a server's: two servers on one cluster would destroy it.
 */
async function ignoreReusedPid(noted: Postmaster | undefined, folder: string) {
  if (!noted || !isAlive(noted.pid) || (await isPostmaster(noted.pid, folder))) return undefined;
  return { PG_GRANDPARENT_PID: String(noted.pid) };
}

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logLimitBytes) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

function watch(server: ChildProcess, logFile: string, offset: number): Launch {
  let ended: string | undefined;
  server.once("error", (error) => {
    ended = error.message;
  });
  server.once("exit", (code, signal) => {
    ended = signal ? `killed by ${signal}` : `exit code ${code}`;
  });
  return { ended: () => ended !== undefined, failure: () => explain(ended, logFile, offset) };
}

async function explain(ended: string | undefined, logFile: string, offset: number): Promise<StartFailure> {
  const written = (await readFile(logFile).catch(() => Buffer.alloc(0))).subarray(offset).toString();
  const last = written.trimEnd().split("\n").slice(-15).join("\n");
  return {
    error: new Error(`PostgreSQL did not start (${ended}). The end of ${logFile}:\n${last}`),
    passing: /lock file|could not create any TCP\/IP sockets|shared memory block|fast shutdown/.test(written),
  };
}

/** The previous port if it is free, so that processes that outlived the server keep a valid address. */
async function findFreePort(wanted = 0): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(wanted, "127.0.0.1"), "listening");
  } catch (error) {
    if (wanted === 0) throw error;
    return findFreePort();
  }
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** SIGQUIT is PostgreSQL's immediate shutdown: the next start recovers everything committed. */
export function abandonPostmaster({ pid }: Postmaster): void {
  process.kill(pid, "SIGQUIT");
}

/** SIGINT is PostgreSQL's fast shutdown: it rolls back open transactions and keeps everything committed. */
export async function stopPostmaster(folder: string): Promise<void> {
  const server = await findPostmaster(folder);
  if (!server) return;
  process.kill(server.pid, "SIGINT");
  const giveUpAt = Date.now() + stopLimitMs;
  while (await isPostmaster(server.pid, folder)) {
    if (Date.now() > giveUpAt) {
      throw new Error(
        `PostgreSQL (pid ${server.pid}) was told to stop ${stopLimitMs / 1000} s ago and has not.`,
      );
    }
    await sleep(5);
  }
}
