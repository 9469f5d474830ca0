/** Holds a process that works on a stranger's file to its limits, by looking at what it uses again and again. */
import type { ChildProcess } from "node:child_process";
import { log } from "#lib/core/log.ts";
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
 * machine did not let it run, which says nothing about what it was given.
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

/** Of what a program complained of: what went wrong stands before where. */
const excerptOf = (complained: string): string => complained.trim().slice(0, 1000);

/** The program ended, or was never there, before it was given a file: what is known of that has nothing of a file in it. */
export function didNotBegin(task: string, reason: string): ParserFailed {
  log().error({ task, reason: excerptOf(reason) }, "a program that reads files did not begin");
  return new ParserFailed("stalled", task, "It did not begin.");
}

/** Why one ended that no one ended here. What it complained of may be the file's own words, and is not logged. */
export function endedByItself(child: ChildProcess, task: string, complained: string): ParserFailed {
  const { signalCode: signal, exitCode } = child;
  const reason = reasonOf(signal, complained);
  log().warn({ task, reason, signal, exitCode }, "a program that reads files ended by itself");
  return new ParserFailed(reason, task, excerptOf(complained));
}

function reasonOf(signal: NodeJS.Signals | null, complained: string): ParserFailed["reason"] {
  if (signal === "SIGXCPU" || signal === "SIGKILL") return "time";
  return signal === "SIGABRT" || /out of memory|heap limit/i.test(complained) ? "memory" : "crash";
}
