/** Enqueues the sealing job of an envelope. */
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { enqueue } from "#lib/jobs/queue.ts";

/** A worker that dies while sealing costs one of the queue's attempts; the queue must never run out of them. */
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
