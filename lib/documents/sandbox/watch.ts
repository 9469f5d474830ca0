/** Holds a process that works on a stranger's file to its limits, by looking at what it uses again and again. */
import type { ChildProcess } from "node:child_process";
import { usageOf } from "./child-usage.ts";

export interface Limits {
  /** Of processor time: a busy machine is not the file's fault. */
  timeoutMs: number;
  /** Of all its memory. */
  memoryMb: number;
  /** Of what it answers, which this process has to read in one go. */
  answerMb?: number;
}

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

const lookEveryMs = 50;

/** Of the clock: no one waits longer for an answer. */
const patienceMs = 60_000;

/** `spentMs`: what it had used of the processor before this file. Answers how to stop watching. */
export function watch(
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
  }, lookEveryMs);
  const ending = setTimeout(() => exceed("stalled"), Math.max(patienceMs, 3 * limits.timeoutMs));
  return () => {
    clearInterval(looking);
    clearTimeout(ending);
  };
}

/** Why one ended that no one ended here. */
export function reasonOf({ signalCode }: ChildProcess, complained: string): ParserFailed["reason"] {
  if (signalCode === "SIGXCPU" || signalCode === "SIGKILL") return "time";
  return signalCode === "SIGABRT" || /out of memory|heap limit/i.test(complained) ? "memory" : "crash";
}
