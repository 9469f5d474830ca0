/** Signature requests from a member's side: where it is their turn, where they wait, where nothing moves. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";

/** A signer whose turn it is: no one before them is still open. */
const turn = `s.signed_at IS NULL AND s.declined_at IS NULL AND s.delegated_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM signers b WHERE b.organization_id = s.organization_id AND b.envelope_id = s.envelope_id
    AND b.order_index < s.order_index AND b.signed_at IS NULL AND b.delegated_at IS NULL)`;

const columns = `e.id AS "envelopeId", c.id AS "contractId", c.title AS "contractTitle",
  e.created_at AS "createdAt"`;

const joined = `FROM envelopes e
  JOIN contracts c ON c.organization_id = e.organization_id AND c.id = e.contract_id`;

const signing = "e.status IN ('SENT', 'PARTIALLY_SIGNED')";

export async function requestsOf(ctx: Context, shown: number) {
  const values = [ctx.organizationId, ctx.actor.id];
  const [signatures, waiting, stuck] = await Promise.all([
    select(
      `SELECT ${columns} ${joined}
       JOIN signers s ON s.organization_id = e.organization_id AND s.envelope_id = e.id
       WHERE e.organization_id = $1 AND s.user_id = $2 AND ${signing} AND ${turn}
       ORDER BY e.created_at, e.id LIMIT ${shown}`,
      values,
    ),
    select(
      `SELECT ${columns}, s.name AS "signerName", s.email AS "signerEmail" ${joined}
       JOIN LATERAL (SELECT s.name, s.email FROM signers s WHERE s.organization_id = e.organization_id
         AND s.envelope_id = e.id AND s.user_id IS DISTINCT FROM $2 AND ${turn}
         ORDER BY s.order_index, s.id LIMIT 1) s ON true
       WHERE e.organization_id = $1 AND e.created_by_id = $2 AND ${signing}
       ORDER BY e.created_at, e.id LIMIT ${shown}`,
      values,
    ),
    select(
      `SELECT ${columns}, CASE e.status WHEN 'EXPIRED' THEN 'expired' WHEN 'SEALING' THEN 'sealing'
         ELSE 'idle' END AS reason ${joined}
       WHERE e.organization_id = $1 AND e.created_by_id = $2 AND (e.status = 'EXPIRED'
         OR e.status = 'SEALING' AND e.updated_at < $3::timestamptz - interval '15 minutes'
         OR ${signing} AND e.updated_at < $3::timestamptz - interval '7 days')
       ORDER BY e.created_at, e.id LIMIT ${shown}`,
      [...values, ctx.now.toISOString()],
    ),
  ]);
  return { signatures, waiting, stuck };
}
