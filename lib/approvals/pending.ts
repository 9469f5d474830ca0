/** Lists what waits for a member's approval. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { paged, pageOffset } from "#lib/core/wire.ts";
import { type MyApproval, myApprovalsPageSize as pageSize } from "./schema.ts";

interface Row {
  id: string;
  contractId: string;
  title: string;
  counterpartyName: string | null;
  versionId: string | null;
  versionNumber: number | null;
  requestedById: string;
  requestedByName: string;
  askedSince: string;
}

/** Returns the requests that wait for the actor, longest waiting first. */
export async function pendingApprovals(ctx: Context, limit: number, offset = 0): Promise<MyApproval[]> {
  const rows = await select<Row>(
    `SELECT a.id, c.id AS "contractId", c.title, cp.name AS "counterpartyName", v.id AS "versionId",
       v.version_number AS "versionNumber", r.id AS "requestedById", r.name AS "requestedByName",
       a.asked_since AS "askedSince"
     FROM approvals_asked_now asked
     JOIN approvals a ON a.organization_id = asked.organization_id AND a.id = asked.approval_id
     JOIN contracts c ON c.organization_id = a.organization_id AND c.id = a.contract_id
     JOIN users r ON r.id = a.requested_by_id
     LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
     LEFT JOIN document_versions v ON v.organization_id = a.organization_id AND v.id = a.version_id
     WHERE asked.organization_id = $1 AND asked.user_id = $2
     ORDER BY a.asked_since, a.id LIMIT $3::int OFFSET $4::bigint`,
    [ctx.organizationId, ctx.actor.id, limit, offset],
  );
  return rows.map(
    ({ contractId, title, versionId, versionNumber, requestedById, requestedByName, ...row }) => ({
      ...row,
      contract: { id: contractId, title },
      requestedBy: { id: requestedById, name: requestedByName },
      version: versionId !== null && versionNumber !== null ? { id: versionId, versionNumber } : null,
    }),
  );
}

export async function countPendingApprovals(ctx: Context): Promise<number> {
  const [row] = await select<{ count: number }>(
    "SELECT count(*)::int AS count FROM approvals_asked_now WHERE organization_id = $1 AND user_id = $2",
    [ctx.organizationId, ctx.actor.id],
  );
  return row?.count ?? 0;
}

export async function listMine(ctx: Context, { page }: { page: number }) {
  const [data, total] = await Promise.all([
    pendingApprovals(ctx, pageSize, pageOffset({ page, pageSize })),
    countPendingApprovals(ctx),
  ]);
  return paged(data, { page, pageSize, total });
}
