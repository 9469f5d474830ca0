/** Counts the requests of a key or a person, in fixed windows of a minute. */
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { limiter } from "#lib/core/limits/limiter.ts";

const windowSeconds = 60;

/** Files of strangers cost more than other requests do. */
const visitorFilesPerMinute = 20;

/** Counts one file of a stranger, even if other requests are not counted. */
export async function limitFiles(caller: string, now: Date, headers: Record<string, string>): Promise<void> {
  const points = settings().RATE_LIMIT_PER_MINUTE || visitorFilesPerMinute;
  await count("files", Math.min(points, visitorFilesPerMinute), caller, now, headers);
}

/** Counts one request. Adds the limit's headers to `headers`; throws if the limit is exceeded. */
export async function limitRate(caller: string, now: Date, headers: Record<string, string>): Promise<void> {
  const points = settings().RATE_LIMIT_PER_MINUTE;
  if (points > 0) await count("rate", points, caller, now, headers);
}

async function count(
  what: string,
  points: number,
  caller: string,
  now: Date,
  headers: Record<string, string>,
): Promise<void> {
  const { isOver, remaining, msBeforeReset } = await limiter(what, points, windowSeconds).count(caller);
  const resetSeconds = Math.max(1, Math.ceil(msBeforeReset / 1000));
  headers["ratelimit-policy"] = `"default";q=${points};w=${windowSeconds}`;
  headers.ratelimit = `"default";r=${remaining};t=${resetSeconds}`;
  headers["x-ratelimit-limit"] = String(points);
  headers["x-ratelimit-remaining"] = String(remaining);
  headers["x-ratelimit-reset"] = String(Math.ceil(now.getTime() / 1000) + resetSeconds);
  if (isOver) {
    throw new Refusal(
      "rate_limited",
      `More than ${points} requests in a minute. Try again in ${resetSeconds} seconds.`,
      { headers: { "retry-after": String(resetSeconds) } },
    );
  }
}
