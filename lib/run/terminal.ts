import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/**
 * Keeps a process running when the reader of its output is gone. Without a listener the broken pipe is an uncaught
 * exception, which Next reports on the same broken pipe, and so on: the process would spin forever and never handle its
 * signals.
 */
export function ignoreBrokenPipe(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
}

/**
 * Hides deprecation warnings of packages, about which operators can do nothing. Node's own flags, such as
 * `--trace-deprecation`, show them.
 */
export function hideDeprecations(): void {
  if (!process.traceDeprecation && !process.throwDeprecation) process.noDeprecation = true;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A single Ctrl-C arrives twice at the same moment: from the terminal and from npm. */
const sameMs = 1000;

/** Calls `stop` on the first signal, and `giveUp` on a later one. */
export function onStopSignal(stop: () => void, giveUp: () => void): void {
  let askedAt: number | undefined;
  const onSignal = () => {
    if (askedAt === undefined) {
      askedAt = Date.now();
      stop();
    } else if (Date.now() - askedAt > sameMs) giveUp();
  };
  for (const signal of signals) process.on(signal, onSignal);
}

/** Longer than requests, deliveries and jobs may take to finish: what still runs then is waiting for something gone. */
const longestStopMs = 45_000;

/** Calls `giveUp` if stopping takes too long. A server first continues for DRAIN_SECONDS. */
export function limitStop(giveUp: () => void, drainSeconds = 0): void {
  setTimeout(giveUp, longestStopMs + drainSeconds * 1000).unref();
}

/** Reads a line of standard input, or "" if there is none. On a terminal it shows a prompt and hides the input. */
export async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: stdin.isTTY });
  // While readline reads from a terminal, Ctrl-C is an ordinary key and sends no signal.
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
