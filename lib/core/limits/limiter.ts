/** Rate-limit counters: in this process, or in Redis if several servers share them. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { settings } from "../env.ts";
import { Refusal } from "../errors.ts";
import { openSharedStore, type SharedStore } from "./shared-store.ts";

/** A counter's state in its window. */
export interface Count {
  isOver: boolean;
  remaining: number;
  msBeforeReset: number;
}

export interface Counter {
  /** Counts one, even if over the limit. Count before the work, so that a hundred at once count as a hundred. */
  count(key: string): Promise<Count>;
  /** Undoes one count. */
  refund(key: string): Promise<void>;
}

const counters = new Map<string, Counter>();

let store: SharedStore | undefined;

/** Returns the counter of this name: `points` in each window of so many seconds. */
export function limiter(name: string, points: number, windowSeconds: number): Counter {
  const known = counters.get(name);
  if (known) return known;
  const made = createCounter({ points, duration: windowSeconds, keyPrefix: `countersign:${name}` });
  counters.set(name, made);
  return made;
}

/** Counts one. Throws a 429 if that is over the limit; `says` words the message, given the seconds to wait. */
export async function refuseOverLimit(
  counter: Counter,
  key: string,
  says: (seconds: number) => string,
): Promise<void> {
  const { isOver, msBeforeReset } = await counter.count(key);
  if (!isOver) return;
  const seconds = Math.max(1, Math.ceil(msBeforeReset / 1000));
  throw new Refusal("rate_limited", says(seconds), { headers: { "retry-after": String(seconds) } });
}

/** Connects to Redis, if configured, so that the first request finds it connected. */
export function connectCounters(): void {
  const { REDIS_URL, REDIS_TIMEOUT_MS } = settings();
  if (REDIS_URL) store ??= openSharedStore(REDIS_URL, REDIS_TIMEOUT_MS);
}

function createCounter(options: { points: number; duration: number; keyPrefix: string }): Counter {
  const memory = new RateLimiterMemory(options);
  connectCounters();
  const redisStore = store;
  if (!redisStore) {
    return {
      count: (key) => outcomeOf(memory.consume(key)),
      refund: async (key) => void (await memory.reward(key)),
    };
  }
  const redis = new RateLimiterRedis({ ...options, storeClient: redisStore.client });
  // While Redis is unavailable, each server counts for itself: a looser limit beats rejecting or delaying everyone.
  return {
    count: (key) =>
      redisStore.withFallback(
        () => outcomeOf(redis.consume(key)),
        () => outcomeOf(memory.consume(key)),
      ),
    refund: async (key) => {
      await redisStore.withFallback<unknown>(
        () => redis.reward(key),
        () => memory.reward(key),
      );
    },
  };
}

/** The library rejects with the same type of result as it resolves with. */
async function outcomeOf(consumed: Promise<RateLimiterRes>): Promise<Count> {
  const [result, isOver] = await consumed.then(
    (within) => [within, false] as const,
    (reason) => {
      if (reason instanceof RateLimiterRes) return [reason, true] as const;
      throw reason;
    },
  );
  return { isOver, remaining: Math.max(0, result.remainingPoints), msBeforeReset: result.msBeforeNext };
}
