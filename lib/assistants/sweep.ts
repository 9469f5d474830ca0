/** Forgets what no one can use any more. */
import { housekeeping } from "#lib/core/housekeeping.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** How long a registration that no one uses is kept, and a grant that has ended. */
const keptDays = 30;

export async function forgetOldAssistants(now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs);
  await housekeeping(async (store) => {
    await store.assistantArtifact.deleteMany({ where: { expiresAt: { lt: now } } });
    await store.assistantGrant.deleteMany({
      where: { expiresAt: { lt: before }, artifacts: { none: {} } },
    });
    await store.assistantClient.deleteMany({ where: { usedAt: { lt: before } } });
  });
}
