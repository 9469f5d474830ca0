/**
 * Immediate notifications about approvals: that someone's approval is requested, and the outcome of their own requests.
 */
import { query, type Transaction } from "#lib/core/db.ts";
import type { Item } from "./items.ts";

/** Covers a quiet weekend and the day before it, so that nothing is missed while e-mails wait or the server is down. */
const newsDays = 3;

/**
 * Selects the news of the last days, in every workspace; $1 is now. If the requester is no longer a member, the owners
 * are notified. After a longer outage, the digest covers the open requests. Someone who delegated an approval after
 * being notified, and is asked again nevertheless, is notified again.
 */
const news = `SELECT * FROM (
    SELECT a.organization_id, a.user_id, 'APPROVAL_REQUESTED' AS kind, a.approval_id AS subject, a.contract_id,
      a.step_since::date AS date, a.step AS stage, gone.at AS given_away_at,
      CASE WHEN gone.at IS NOT NULL THEN a.asked_since END AS given_back_at
    FROM approvals_asked_now a
    CROSS JOIN LATERAL (SELECT max(d.created_at) AS at FROM approval_answers d
      WHERE d.organization_id = a.organization_id AND d.approval_id = a.approval_id AND d.step = a.step
        AND d.user_id = a.user_id AND d.answer = 'DELEGATED') gone
    WHERE a.asked_since > $1::timestamptz - interval '${newsDays} days'
    UNION ALL
    SELECT a.organization_id, COALESCE(who.user_id, o.user_id), 'APPROVAL_ANSWERED', a.id, a.contract_id,
      a.ended_at::date, 0, NULL, NULL
    FROM approvals a
    LEFT JOIN members who ON who.organization_id = a.organization_id AND who.user_id = a.requested_by_id
      AND who.removed_at IS NULL
    LEFT JOIN members o ON who.user_id IS NULL AND o.organization_id = a.organization_id AND o.role = 'owner'
      AND o.removed_at IS NULL
    WHERE a.outcome IN ('APPROVED', 'SENT_BACK') AND a.ended_at > $1::timestamptz - interval '${newsDays} days'
      AND a.ended_by_id <> a.requested_by_id) item
  WHERE NOT EXISTS (SELECT 1 FROM notifications n WHERE n.organization_id = item.organization_id
    AND n.user_id = item.user_id AND n.kind = item.kind AND n.subject_id = item.subject AND n.stage = item.stage
    AND n.created_at > COALESCE(item.given_away_at, '-infinity'))`;

export interface Addressee {
  organizationId: string;
  userId: string;
}

/** Returns the members with news that they have not been notified of yet. */
export async function approvalAddressees(now: Date): Promise<Addressee[]> {
  return query(
    `SELECT DISTINCT organization_id AS "organizationId", user_id AS "userId" FROM (${news}) news
     WHERE user_id IS NOT NULL`,
    [now.toISOString()],
  );
}

export async function approvalItems(
  tx: Pick<Transaction, "$queryRawUnsafe">,
  { organizationId, userId, now }: Addressee & { now: Date },
  most: number,
): Promise<Item[]> {
  return tx.$queryRawUnsafe<Item[]>(
    `SELECT kind, subject AS "subjectId", contract_id AS "contractId", date::text AS date, stage,
       given_back_at AS "reassignedAt" FROM (${news}) news
     WHERE organization_id = $2 AND user_id = $3 ORDER BY subject, kind LIMIT $4::int`,
    now.toISOString(),
    organizationId,
    userId,
    most,
  );
}
