import type { Delivery } from "#lib/webhooks/schema.ts";

const soonMs = 60_000;

/**
 * Returns the interval for refetching deliveries: short while one is being sent or will be retried within a
 * minute, longer if the next attempt is further away, null if none is pending.
 */
export function pollIntervalMs(deliveries: readonly Delivery[]): number | null {
  const waits = deliveries.flatMap(({ status, nextAttemptAt }) => {
    if (status === "PENDING") return [0];
    return nextAttemptAt === null ? [] : [Date.parse(nextAttemptAt) - Date.now()];
  });
  if (waits.length === 0) return null;
  return Math.min(...waits) < soonMs ? 1500 : 30_000;
}
