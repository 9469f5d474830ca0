import type { Delivery } from "#lib/webhooks/schema.ts";

const soonMs = 60_000;

/** How soon deliveries are worth another look: at once while one is being sent, later while the next try is far. */
export function nextLookMs(deliveries: readonly Delivery[]): number | null {
  const waits = deliveries.flatMap(({ status, nextAttemptAt }) => {
    if (status === "PENDING") return [0];
    return nextAttemptAt === null ? [] : [Date.parse(nextAttemptAt) - Date.now()];
  });
  if (waits.length === 0) return null;
  return Math.min(...waits) < soonMs ? 1500 : 30_000;
}
