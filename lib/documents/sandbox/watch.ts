/** Enforces the limits of a process that works on an untrusted file, by checking its resource usage periodically. */
import type { ChildProcess } from "node:child_process";
import { log } from "#lib/core/log.ts";
import { usageOf } from "./child-usage.ts";

export interface Limits {
  /** Processor time: a busy machine is not the file's fault. */
  timeoutMs: number;
  /** Of the whole process. */
  memoryMb: number;
  /** Of its result. */
  answerMb?: number;
}

/**
 * The parser could not finish: its input took too much time or memory, or crashed it; or ("stalled") the machine did
 * not let it run, which says nothing about the input.
 */
export class ParserFailed extends Error {
  override name = "ParserFailed";
  readonly reason: "time" | "memory" | "crash" | "stalled";

  constructor(reason: ParserFailed["reason"], task: string, detail = "") {
    super(`The parser ${task} ended by its limit or its fault: ${reason}. ${detail}`.trim());
    this.reason = reason;
  }
}

const pollIntervalMs = 50;

/** Wall-clock time: nobody waits longer for a result. */
const maxWaitMs = 60_000;

/** `spentMs`: processor time it had used before this file. Returns a function that stops watching. */
export function enforceLimits(
  child: ChildProcess,
  limits: Limits,
  exceed: (limit: ParserFailed["reason"]) => void,
  spentMs = 0,
): () => void {
  const looking = setInterval(async () => {
    const usage = child.pid && child.exitCode === null ? await usageOf(child.pid) : null;
    if (!usage) return;
    if (usage.memoryMb > limits.memoryMb) exceed("memory");
    else if (usage.cpuMs - spentMs > limits.timeoutMs) exceed("time");
  }, pollIntervalMs);
  const ending = setTimeout(() => exceed("stalled"), Math.max(maxWaitMs, 3 * limits.timeoutMs));
  return () => {
    clearInterval(looking);
    clearTimeout(ending);
  };
}

/** The beginning of its error output: the message comes before the stack. */
const excerptOf = (complained: string): string => complained.trim().slice(0, 1000);

/**
 * The program exited or failed to start before it was given a file, so its error output contains nothing of a file.
 */
export function startFailure(task: string, reason: string): ParserFailed {
  log().error({ task, reason: excerptOf(reason) }, "a sandbox process failed to start");
  return new ParserFailed("stalled", task, "It did not begin.");
}

/** Why a process exited without being ended here. Its error output may quote the file, and is not logged. */
export function unexpectedExit(child: ChildProcess, task: string, complained: string): ParserFailed {
  const { signalCode: signal, exitCode } = child;
  const reason = reasonOf(signal, complained);
  log().warn({ task, reason, signal, exitCode }, "a sandbox process exited unexpectedly");
  return new ParserFailed(reason, task, excerptOf(complained));
}

function reasonOf(signal: NodeJS.Signals | null, complained: string): ParserFailed["reason"] {
  if (signal === "SIGXCPU" || signal === "SIGKILL") return "time";
  return signal === "SIGABRT" || /out of memory|heap limit/i.test(complained) ? "memory" : "crash";
}
