/** Requests approvals and withdraws requests. */
import { moveByHand } from "#lib/contracts/contracts.ts";
import { findContract } from "#lib/contracts/rows.ts";
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { uncovered } from "#lib/required-approvals/evaluate.ts";
import { type Asked, requirementFor } from "#lib/required-approvals/facts.ts";
import { openApproval } from "#lib/required-approvals/open.ts";
import { type ApprovalRow, latestOf, lockContract } from "#lib/required-approvals/rows.ts";
import { end, expectPerson, lockOpen } from "./open.ts";

const reviewable = new Set(["DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED"]);

/** Requests approval of a contract's newest version from those whom the rules name, and moves it to review. */
export async function requestApproval(ctx: Context, { id: contractId }: { id: string }) {
  const { id: requestedById } = expectPerson(ctx);
  return change(ctx, async (tx, record) => {
    const contract = await lockContract(tx, ctx, contractId);
    if ((await findContract(ctx, contractId)).archivedAt !== null) {
      const message = "This contract is archived. Unarchive it before you request approval.";
      throw new Refusal("conflict", message);
    }
    if (!reviewable.has(contract.status)) {
      const message = "Only a contract that is not out for signature, executed or over can be approved.";
      throw new Refusal("invalid_transition", message);
    }
    const asked = await requirementFor(ctx, contractId);
    if (!asked || asked.rules.length === 0) {
      const message = "No approval rule applies to this contract: its status can be set to approved.";
      throw new Refusal("conflict", message);
    }
    const latest = await latestOf(ctx, contractId);
    const settled = latest && settledReason(latest, asked);
    if (settled) throw new Refusal("conflict", settled);
    if (latest?.outcome === null) await end(tx, ctx, latest, { outcome: "REPLACED" });
    if (contract.status !== "IN_REVIEW") await moveByHand(ctx, { id: contractId, next: "IN_REVIEW" });
    const id = await openApproval(tx, ctx, record, contract, { ...asked, requestedById });
    return { approval: { id } };
  });
}

/** Returns why there is nothing to request; null if there is something. */
function settledReason(latest: ApprovalRow, { versionId, rules }: Asked): string | null {
  if (latest.versionId !== versionId) return null;
  if (latest.outcome === null) return "Approval has already been requested.";
  if (latest.outcome !== "APPROVED" || uncovered(rules, latest.rules).length > 0) return null;
  return "This version is already approved.";
}

/** Withdraws a request. The contract stays in review. */
export async function withdrawApproval(ctx: Context, { id }: { id: string }): Promise<void> {
  const { id: userId, role } = expectPerson(ctx);
  await change(ctx, async (tx, record) => {
    const { approval, contract } = await lockOpen(tx, ctx, id);
    if (approval.requestedById !== userId && role !== "owner" && role !== "admin") {
      const message = "Only the person who requested the approval, an owner or an admin can withdraw it.";
      throw new Refusal("forbidden", message);
    }
    await end(tx, ctx, approval, { outcome: "WITHDRAWN", endedById: userId });
    record({
      action: "APPROVAL_WITHDRAWN",
      target: { type: "approval", id: approval.id },
      contract: { id: contract.id, title: contract.title },
    });
  });
}
