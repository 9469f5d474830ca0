/** Structured logs, one JSON object a line. Never put a header, a body or a key into them. */
import pino, { type Logger } from "pino";
import { settings } from "./env.ts";

const shared = globalThis as { countersignLog?: Logger };

export function log(): Logger {
  shared.countersignLog ??= pino(
    { level: settings().LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 1, sync: false, minLength: 0 }),
  );
  return shared.countersignLog;
}
