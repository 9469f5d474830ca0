/** Records in its chain of events who downloaded the PDF of a signature request. */
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { addEvent } from "./events.ts";

const againAfterMs = 60 * 60 * 1000;

/**
 * Records a download, at most once an hour per person and variant; returns whether it did. The whole chain is read on
 * every check, and a signed PDF contains all events before it, so nobody may be able to inflate it.
 */
export async function recordSignatureDownload(
  tx: Transaction,
  ctx: Context,
  { envelopeId, signerId, variant }: { envelopeId: string; signerId?: string; variant?: string },
): Promise<boolean> {
  const { organizationId } = ctx;
  // The lock makes the second of two concurrent downloads see the first one's event.
  await tx.$queryRaw`SELECT 1 FROM envelopes
    WHERE organization_id = ${organizationId} AND id = ${envelopeId} FOR UPDATE`;
  const since = new Date(ctx.now.getTime() - againAfterMs);
  const noted = await tx.$queryRaw<unknown[]>`SELECT 1 FROM signing_events
    WHERE organization_id = ${organizationId} AND envelope_id = ${envelopeId} AND type = 'DOWNLOADED'
      AND created_at > ${since} AND actor->>'id' = ${ctx.actor.id}
      AND details->>'variant' IS NOT DISTINCT FROM ${variant ?? null}::text LIMIT 1`;
  if (noted.length > 0) return false;
  const details = variant === undefined ? null : { variant };
  await addEvent(tx, ctx, { envelopeId, signerId: signerId ?? null, type: "DOWNLOADED", details });
  return true;
}
