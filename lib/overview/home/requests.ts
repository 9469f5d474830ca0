/**
 * Signature requests for a member's Home page: those in which it is their turn, and their own that wait for others or
 * are stuck.
 */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import {
  stuckSql as isStuck,
  mayActSql,
  onTurnSql,
  outForSignatureSql,
  pastDeadlineSql,
} from "#lib/signatures/turns.ts";

const columns = `e.id AS "envelopeId", c.id AS "contractId", c.title AS "contractTitle",
  e.created_at AS "createdAt"`;

const joined = `FROM envelopes e
  JOIN contracts c ON c.organization_id = e.organization_id AND c.id = e.contract_id AND NOT c.archived`;

export async function requestsOf(ctx: Context, shown: number) {
  const values = [ctx.organizationId, ctx.actor.id, ctx.now.toISOString()];
  const [signatures, waiting, stuck] = await Promise.all([
    select(
      `SELECT ${columns} ${joined}
       JOIN signers s ON s.organization_id = e.organization_id AND s.envelope_id = e.id
       WHERE e.organization_id = $1 AND s.user_id = $2 AND ${mayActSql("$3")}
       ORDER BY e.created_at, e.id LIMIT ${shown}`,
      values,
    ),
    select(
      `SELECT ${columns}, s.name AS "signerName", s.email AS "signerEmail" ${joined}
       JOIN LATERAL (SELECT s.name, s.email FROM signers s WHERE s.organization_id = e.organization_id
         AND s.envelope_id = e.id AND s.user_id IS DISTINCT FROM $2 AND ${onTurnSql}
         ORDER BY s.order_index, s.id LIMIT 1) s ON true
       WHERE e.organization_id = $1 AND e.created_by_id = $2 AND ${outForSignatureSql} AND NOT ${pastDeadlineSql("$3")}
       ORDER BY e.created_at, e.id LIMIT ${shown}`,
      values,
    ),
    select(
      `SELECT ${columns}, CASE WHEN e.status = 'SEALING' THEN 'sealing'
         WHEN e.status = 'EXPIRED' OR ${pastDeadlineSql("$3")} THEN 'expired' ELSE 'idle' END AS reason ${joined}
       WHERE e.organization_id = $1 AND e.created_by_id = $2 AND ${isStuck("$3")}
       ORDER BY e.created_at, e.id LIMIT ${shown}`,
      values,
    ),
  ]);
  return { signatures, waiting, stuck };
}
