import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/**
 * Keeps a process running when the reader of its output is gone. Without a listener the broken pipe is an uncaught
 * exception, which Next reports on the same broken pipe, and so on: the process would spin forever and never handle its
 * signals.
 */
export function outliveTerminal(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
}

/**
 * Hides deprecation warnings of packages, about which operators can do nothing. Node's own flags show them
 * (`--trace-deprecation`).
 */
export function sayNoDeprecations(): void {
  if (!process.traceDeprecation && !process.throwDeprecation) process.noDeprecation = true;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** One Ctrl-C comes twice, from the terminal and from npm, at the same moment. */
const sameMs = 1000;

/** Calls `stop` on the first signal to end, and `giveUp` on the second. */
export function whenAskedToStop(stop: () => void, giveUp: () => void): void {
  let askedAt: number | undefined;
  const onSignal = () => {
    if (askedAt === undefined) {
      askedAt = Date.now();
      stop();
    } else if (Date.now() - askedAt > sameMs) giveUp();
  };
  for (const signal of signals) process.on(signal, onSignal);
}

/** Longer than requests, deliveries and jobs may take to finish: what then still runs waits for what is gone. */
const longestStopMs = 45_000;

/** Calls `giveUp` if stopping takes too long. A server first continues for DRAIN_SECONDS. */
export function limitStop(giveUp: () => void, drainSeconds = 0): void {
  setTimeout(giveUp, longestStopMs + drainSeconds * 1000).unref();
}

/** A line of standard input, "" where there is none. On a terminal it is asked for, and not shown as it is typed. */
export async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: stdin.isTTY });
  // On a terminal that readline reads, Ctrl-C is a key.
  lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  if (stdin.isTTY) stderr.write("Password: ");
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
