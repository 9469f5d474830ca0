/**
 * Runs a parser of lib/pdf/child-main.ts on what a stranger sent, in a process of its own: without the server's
 * secrets and files, held to a time and an amount of memory, at a lower priority. At most two run at once; the
 * others wait their turn.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { inProject } from "#lib/root.ts";
import type { Parsers } from "./child-main.ts";
import { usageOf } from "./child-usage.ts";

export interface Limits {
  /** Of processor time: a busy machine is not the file's fault. */
  timeoutMs: number;
  /** Of all its memory. */
  memoryMb: number;
}

export type Task = keyof Parsers;

/**
 * The parser could not finish: what it was given took too long, or too much memory, or broke it; or ("stalled") the
 * machine is too busy to let it run.
 */
export class ParserFailed extends Error {
  override name = "ParserFailed";
  readonly reason: "time" | "memory" | "crash" | "stalled";

  constructor(reason: ParserFailed["reason"], task: string, detail = "") {
    super(`The parser ${task} ended by its limit or its fault: ${reason}. ${detail}`.trim());
    this.reason = reason;
  }
}

const atOnce = 2;
const shared = globalThis as { countersignParsers?: { running: number; waiting: (() => void)[] } };
shared.countersignParsers ??= { running: 0, waiting: [] };
const lanes = shared.countersignParsers;

/**
 * Runs one parser. Input and result are JSON; files go in by their paths, which are all that it may read beside
 * its own program. What the parser throws comes back as ParserFailed("crash").
 */
export async function runInChild<T extends Task>(
  task: T,
  input: Parameters<Parsers[T]>[0],
  limits: Limits,
): Promise<Awaited<ReturnType<Parsers[T]>>> {
  if (lanes.running >= atOnce) await new Promise<void>((resolve) => lanes.waiting.push(resolve));
  else lanes.running++;
  try {
    return await run(task, input, limits);
  } finally {
    const next = lanes.waiting.shift();
    if (next) next();
    else lanes.running--;
  }
}

async function run<T extends Task>(task: T, input: { path?: string }, limits: Limits) {
  const child = start(task, input, limits);
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  let exceeded: ParserFailed["reason"] | null = null;
  const stopWatching = watch(child, limits, (limit) => {
    exceeded ??= limit;
    child.kill("SIGKILL");
  });
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(JSON.stringify(input));
  const [said, complained] = await Promise.all([text(child.stdout!), text(child.stderr!), exited]);
  stopWatching();
  if (exceeded) throw new ParserFailed(exceeded, task);
  if (child.exitCode === 0) return JSON.parse(said);
  throw new ParserFailed(reasonOf(child, complained), task, complained.slice(-500));
}

/** And before LibreOffice, which nobody waits for as for an upload's answer. */
const behindRequests = 3;

/** The shell sets what outlives this process's watch: processor time, no dump of memory to the disk. */
function start(task: string, { path }: { path?: string }, { timeoutMs, memoryMb }: Limits): ChildProcess {
  const seconds = String(Math.ceil(timeoutMs / 1000) + 1);
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      'ulimit -t "$1"; ulimit -c 0; shift; exec "$@"',
      "sh",
      seconds,
      process.execPath,
      `--max-old-space-size=${memoryMb}`,
      "--permission",
      `--allow-fs-read=${inProject("*")}`,
      ...(path === undefined ? [] : [`--allow-fs-read=${path}`]),
      "--disable-warning=SecurityWarning",
      inProject("lib", "pdf", "child-main.ts"),
      task,
    ],
    { cwd: inProject(), env: { NODE_ENV: "production" }, stdio: ["pipe", "pipe", "pipe"] },
  );
  try {
    if (child.pid) setPriority(child.pid, behindRequests);
  } catch {
    // It has ended already.
  }
  return child;
}

const lookEveryMs = 50;

/** Of the clock: nobody waits longer for an answer. */
const patienceMs = 60_000;

function watch(
  child: ChildProcess,
  limits: Limits,
  exceed: (limit: ParserFailed["reason"]) => void,
): () => void {
  const looking = setInterval(async () => {
    const usage = child.pid && child.exitCode === null ? await usageOf(child.pid) : null;
    if (!usage) return;
    if (usage.memoryMb > limits.memoryMb) exceed("memory");
    else if (usage.cpuMs > limits.timeoutMs) exceed("time");
  }, lookEveryMs);
  const ending = setTimeout(() => exceed("stalled"), Math.max(patienceMs, 3 * limits.timeoutMs));
  return () => {
    clearInterval(looking);
    clearTimeout(ending);
  };
}

function reasonOf({ signalCode }: ChildProcess, complained: string): ParserFailed["reason"] {
  if (signalCode === "SIGXCPU" || signalCode === "SIGKILL") return "time";
  return signalCode === "SIGABRT" || /out of memory|heap limit/i.test(complained) ? "memory" : "crash";
}
