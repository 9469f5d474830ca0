/** Counts requests a key in fixed windows of a minute: in this process, or in Redis for several servers. */
import { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { settings } from "#lib/env.ts";
import { Refusal } from "#lib/errors.ts";
import { log } from "#lib/log.ts";

const windowSeconds = 60;

const shared = globalThis as { countersignLimiter?: RateLimiterAbstract };

function limiter(points: number): RateLimiterAbstract {
  const { REDIS_URL } = settings();
  const options = { points, duration: windowSeconds, keyPrefix: "countersign:rate" };
  if (!REDIS_URL) return new RateLimiterMemory(options);
  const redis = new Redis(REDIS_URL, { connectTimeout: 1000, commandTimeout: 300, maxRetriesPerRequest: 1 });
  redis.on("error", (error) => log().warn({ error: error.message }, "Redis is not reachable"));
  // While Redis is away each server counts for itself: limiting a little less beats refusing everybody.
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(options),
  });
}

/** Counts one request. Puts the limit's headers into `headers`; refuses the request that is over it. */
export async function limitRate(keyId: string, now: Date, headers: Record<string, string>): Promise<void> {
  const points = settings().RATE_LIMIT_PER_MINUTE;
  if (points === 0) return;
  shared.countersignLimiter ??= limiter(points);
  const [state, refused] = await shared.countersignLimiter.consume(keyId).then(
    (result) => [result, false] as const,
    (result) => {
      if (result instanceof RateLimiterRes) return [result, true] as const;
      throw result;
    },
  );
  const remaining = Math.max(0, state.remainingPoints);
  const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  headers["ratelimit-policy"] = `"default";q=${points};w=${windowSeconds}`;
  headers.ratelimit = `"default";r=${remaining};t=${resetSeconds}`;
  headers["x-ratelimit-limit"] = String(points);
  headers["x-ratelimit-remaining"] = String(remaining);
  headers["x-ratelimit-reset"] = String(Math.ceil(now.getTime() / 1000) + resetSeconds);
  if (refused) {
    throw new Refusal(
      "rate_limited",
      `More than ${points} requests in a minute. Try again in ${resetSeconds} seconds.`,
      { headers: { "retry-after": String(resetSeconds) } },
    );
  }
}
