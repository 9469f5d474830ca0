/** Structured logs, one JSON object per line. Never log a header, a body or a key. */
import { writeSync } from "node:fs";
import pino, { type Logger } from "pino";
import { settings } from "./env.ts";

let opened: Logger | undefined;

export function log(): Logger {
  opened ??= open();
  return opened;
}

const batchBytes = 8192;
const flushMs = 500;
/** The most that is buffered while the reader stalls. */
const maxBytes = 16 * 1024 * 1024;
const lastWordsMs = 1000;

/**
 * Writes in batches: one write per line costs a twentieth of the server's time. The log never blocks the process: lines
 * are dropped if their reader stalls or is gone, or the disk is full. (A pipe takes what it has room for, since Node
 * opens stdout in non-blocking mode.)
 */
class LogOutput {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isStalled = false;

  constructor(fd: number) {
    this.#fd = fd;
    setInterval(() => this.#flush(), flushMs).unref();
  }

  write(line: string): void {
    if (this.#bytes > maxBytes) return;
    const bytes = Buffer.from(line);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    // A stalled reader is retried on a timer, not for every line.
    if (this.#bytes >= batchBytes && !this.#isStalled) this.#flush();
  }

  #flush(): void {
    if (this.#bytes === 0) return;
    const batch = Buffer.concat(this.#waiting);
    const rest = batch.subarray(this.#written(batch));
    this.#isStalled = rest.length > 0;
    this.#waiting = this.#isStalled ? [rest] : [];
    this.#bytes = rest.length;
  }

  /** How much of the batch is done with: written, or dropped because it can never be written. */
  #written(batch: Buffer): number {
    try {
      return writeSync(this.#fd, batch);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EAGAIN" ? 0 : batch.length;
    }
  }

  /** Writes what is buffered before the process exits. */
  flushSync(): void {
    const deadline = performance.now() + lastWordsMs;
    while (this.#bytes > 0 && performance.now() < deadline) {
      this.#flush();
      if (this.#isStalled) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function open(): Logger {
  const output = new LogOutput(1);
  process.on("exit", () => output.flushSync());
  const level = settings().LOG_LEVEL;
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, output);
}
