/** Hands an envelope to the sealing job. */
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { enqueue } from "#lib/jobs/queue.ts";

/** A worker that dies at it costs an attempt of the queue; nothing may make the queue give up. */
const maxAttempts = 30_000;

export async function enqueueSealing(
  tx: Transaction,
  { organizationId }: Pick<Context, "organizationId">,
  envelopeId: string,
  runAt?: Date,
): Promise<void> {
  await enqueue(
    tx,
    "signatures.seal",
    { organizationId, envelopeId },
    {
      maxAttempts,
      jobKey: `signatures.seal ${envelopeId}`,
      share: organizationId,
      ...(runAt ? { runAt } : {}),
    },
  );
}
