/**
 * Ends a request without a signed document: declined, voided or expired. The contract returns to its previous status.
 */
import type { AuditAction } from "#lib/audit/lifecycle.ts";
import { moveContractOn } from "#lib/contracts/contracts.ts";
import type { ContractStatus } from "#lib/contracts/lifecycle.ts";
import type { Recorder } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { addEvent } from "./events.ts";
import { notifyOfEnd } from "./notices.ts";
import { auditSubject, type EnvelopeRow, envelopeFrom, findRow } from "./rows.ts";

export interface Ending {
  status: "DECLINED" | "VOIDED" | "EXPIRED";
  /** Who ended it, as shown to people. */
  by: string;
  reason: string;
  signerId?: string;
  /** Defaults to the action of the status. */
  action?: AuditAction;
}

/**
 * Ends a request that is out; the caller holds its lock. Updates the envelope and contract, adds to the history, and
 * notifies people.
 */
export async function endRequest(
  tx: Transaction,
  ctx: Context,
  record: Recorder,
  row: EnvelopeRow,
  ending: Ending,
): Promise<void> {
  const { status, reason, by } = ending;
  const moment = {
    DECLINED: { declinedAt: ctx.now },
    VOIDED: { voidedAt: ctx.now, voidReason: reason },
    EXPIRED: { expiredAt: ctx.now },
  }[status];
  await tx.envelope.update({
    where: { organizationId_id: { ...own(ctx), id: row.id }, status: row.status },
    data: { status, ...moment, updatedAt: ctx.now },
  });
  await addEvent(tx, ctx, {
    ...{ envelopeId: row.id, signerId: ending.signerId ?? null, type: status },
    details: status === "EXPIRED" ? { deadline: row.deadline?.toISOString() ?? null } : { reason },
  });
  await moveContractOn(ctx, row.contractId, {
    from: "OUT_FOR_SIGNATURE",
    next: (row.previousContractStatus ?? "DRAFT") as ContractStatus,
    reason: {
      DECLINED: "Declined by a signer",
      VOIDED: "The request was voided",
      EXPIRED: "The deadline passed",
    }[status],
  });
  await notifyOfEnd(tx, ctx, row, { status, by, reason });
  const envelope = envelopeFrom(await findRow(ctx, row.id));
  record({
    action: ending.action ?? `SIGNATURE_REQUEST_${status}`,
    ...auditSubject(row),
    changes: { status: { from: row.status, to: status } },
    reason: status === "EXPIRED" ? null : reason,
    resource: { envelope },
  });
}
