/** Structured logs, one JSON object a line. Never put a header, a body or a key into them. */
import pino, { type Logger } from "pino";
import { settings } from "./env.ts";

const shared = globalThis as { countersignLog?: Logger };

export function log(): Logger {
  shared.countersignLog ??= open();
  return shared.countersignLog;
}

/** Written in batches, at the latest after half a second: a write a line costs a twentieth of the server. */
function open(): Logger {
  const output = pino.destination({ fd: 1, sync: false, minLength: 8192, periodicFlush: 500 });
  process.on("exit", () => output.flushSync());
  const level = settings().LOG_LEVEL;
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, output);
}
