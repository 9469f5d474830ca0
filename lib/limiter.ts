/** Counters with a limit: in this process, or in Redis where several servers count together. */
import { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { settings } from "./env.ts";
import { log } from "./log.ts";

interface Limiters {
  redis?: Redis;
  byName: Map<string, RateLimiterAbstract>;
}

/** Next bundles this file more than once; the process still counts once. */
const shared = globalThis as { countersignLimiters?: Limiters };

/** The counter of this name: `points` in each window of so many seconds. */
export function limiter(name: string, points: number, windowSeconds: number): RateLimiterAbstract {
  shared.countersignLimiters ??= { byName: new Map() };
  const { byName } = shared.countersignLimiters;
  const known = byName.get(name);
  if (known) return known;
  const made = make({ points, duration: windowSeconds, keyPrefix: `countersign:${name}` });
  byName.set(name, made);
  return made;
}

function make(options: { points: number; duration: number; keyPrefix: string }): RateLimiterAbstract {
  const { REDIS_URL } = settings();
  if (!REDIS_URL) return new RateLimiterMemory(options);
  // While Redis is away each server counts for itself: limiting a little less beats refusing everybody.
  return new RateLimiterRedis({
    ...options,
    storeClient: connection(REDIS_URL),
    insuranceLimiter: new RateLimiterMemory(options),
  });
}

function connection(url: string): Redis {
  const limiters = shared.countersignLimiters!;
  if (!limiters.redis) {
    const redis = new Redis(url, { connectTimeout: 1000, commandTimeout: 300, maxRetriesPerRequest: 1 });
    redis.on("error", (error) => log().warn({ error: error.message }, "Redis is not reachable"));
    limiters.redis = redis;
  }
  return limiters.redis;
}
