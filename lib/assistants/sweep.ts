/** Deletes expired artifacts, old grants and unused registrations. */
import { housekeeping } from "#lib/core/housekeeping.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** How long registrations are kept after their last use, and grants after they expire. */
const retentionDays = 30;

export async function forgetOldAssistants(now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * dayMs);
  await housekeeping(async (store) => {
    await store.assistantArtifact.deleteMany({ where: { expiresAt: { lt: now } } });
    await store.assistantGrant.deleteMany({
      where: { expiresAt: { lt: before }, artifacts: { none: {} } },
    });
    await store.assistantClient.deleteMany({ where: { usedAt: { lt: before } } });
  });
}
