/** What a new version does to a contract that is being reviewed, or was approved: it is another document. */

import { change } from "#lib/core/change.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { askAgain } from "#lib/required-approvals/ask.ts";
import type { LockedContract } from "#lib/required-approvals/rows.ts";
import { moveContractOn } from "./contracts.ts";

/** What is out for signature stays so, with the version that was sent. */
const reviewed = new Set(["DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED"]);

/** Takes an approved contract back into review, and asks whoever was asked for their approval. It is locked. */
export async function reviewAgain(ctx: Context, contract: LockedContract): Promise<void> {
  if (!reviewed.has(contract.status)) return;
  const system = { ...systemContext(ctx.organizationId, "approvals", ctx.now), requestId: ctx.requestId };
  if (contract.status === "APPROVED") {
    const reason = "A new version was added";
    await moveContractOn(system, contract.id, { from: "APPROVED", next: "IN_REVIEW", reason });
  }
  await change(system, (tx, record) => askAgain(tx, system, record, contract));
}
