/** Handles a new version of a contract in review or approved, which now has a different document. */

import { change } from "#lib/core/change.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { reopenApproval } from "#lib/required-approvals/open.ts";
import type { LockedContract } from "#lib/required-approvals/rows.ts";
import { moveContractOn } from "./contracts.ts";

/** The statuses affected: a contract out for signature stays so, with the version that was sent. */
const reviewed = new Set(["DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED"]);

/** Returns an approved contract to review and asks its approvers again. The caller holds the contract's lock. */
export async function reviewAgain(ctx: Context, contract: LockedContract): Promise<void> {
  if (!reviewed.has(contract.status)) return;
  const system = { ...systemContext(ctx.organizationId, "approvals", ctx.now), requestId: ctx.requestId };
  if (contract.status === "APPROVED") {
    const reason = "A new version was added";
    await moveContractOn(system, contract.id, { from: "APPROVED", next: "IN_REVIEW", reason });
  }
  await change(system, (tx, record) => reopenApproval(tx, system, record, contract));
}
