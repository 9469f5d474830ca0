/** Who took the PDF of a signature request, as its chain tells. */
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { addEvent } from "./events.ts";

const againAfterMs = 60 * 60 * 1000;

/**
 * Adds it to the chain, once an hour for each person and variant; answers whether it did. The chain is read as a whole
 * whenever it is checked, and a signed PDF carries all that came before it: no one may make it longer at will.
 */
export async function noteDownload(
  tx: Transaction,
  ctx: Context,
  { envelopeId, signerId, variant }: { envelopeId: string; signerId?: string; variant?: string },
): Promise<boolean> {
  const { organizationId } = ctx;
  // Of two at once, the second sees what the first noted.
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
