/** "Retry now", for a request that everyone has signed but that is not sealed yet. */
import { change, skipAudit } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { enqueueSealing } from "#lib/signatures/queue.ts";
import { lockRow, requireSender } from "#lib/signatures/rows.ts";

export async function retrySealing(ctx: Context, envelopeId: string): Promise<void> {
  requireSender(ctx);
  await change(ctx, async (tx) => {
    const row = await lockRow(tx, ctx, envelopeId);
    if (row.status !== "SEALING") {
      throw new Refusal("invalid_transition", `This request is ${row.status}: there is nothing to seal.`);
    }
    skipAudit();
    await tx.$executeRaw`UPDATE envelopes SET next_seal_at = NULL
      WHERE organization_id = ${ctx.organizationId} AND id = ${envelopeId}`;
    await enqueueSealing(tx, ctx, envelopeId);
  });
}
