/**
 * The Redis that servers share, behind a circuit breaker: a request waits for it at most REDIS_TIMEOUT_MS, and not at
 * all while it is unavailable. One command at a time checks whether it is back, and no request waits for that.
 */
import { createRequire } from "node:module";
import type { Redis } from "ioredis";
import { log } from "../log.ts";

const require = createRequire(import.meta.url);

export interface SharedStore {
  client: Redis;
  /** The result of `work`, or of `instead` if Redis is unavailable or late. */
  withFallback<T>(work: () => Promise<T>, instead: () => Promise<T>): Promise<T>;
}

const probeMs = 250;

export function openSharedStore(url: string, patienceMs: number): SharedStore {
  // Loaded only if Redis is configured: most installations do without, and would keep its client in memory for nothing.
  const { Redis: Client } = require("ioredis") as typeof import("ioredis");
  const client = new Client(url, {
    connectTimeout: 1000,
    commandTimeout: 1000,
    // A connection that falls silent is dropped: otherwise nobody would notice for minutes.
    socketTimeout: 2000,
    maxRetriesPerRequest: 1,
    // A count that was sent may have been counted: it must not be counted twice.
    autoResendUnfulfilledCommands: false,
  });
  // Reported when it matters: by the first command that fails.
  client.on("error", () => undefined);
  let isUnavailable = false;
  return {
    client,
    async withFallback(work, instead) {
      if (isUnavailable) return instead();
      try {
        return await withTimeout(work(), patienceMs);
      } catch (error) {
        if (!isUnavailable) {
          isUnavailable = true;
          log().warn(
            { error: (error as Error).message },
            "Redis does not respond: this server counts by itself",
          );
          awaitReturn(client, patienceMs, () => (isUnavailable = false));
        }
        return instead();
      }
    },
  };
}

function awaitReturn(client: Redis, patienceMs: number, isBack: () => void): void {
  const probe = async () => {
    const answer = client.ping();
    try {
      await withTimeout(answer, patienceMs);
      isBack();
      log().info("Redis responds again: servers count together");
    } catch {
      await answer.catch(() => undefined);
      again();
    }
  };
  const again = () => setTimeout(probe, probeMs).unref();
  again();
}

/** A response that has arrived by the deadline counts, even if this process was too busy to read it in time. */
function withTimeout<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${patienceMs} ms`));
    const timer = setTimeout(() => setImmediate(late), patienceMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
