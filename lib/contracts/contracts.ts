/** Contracts: changed, moved through their lifecycle, removed. */

import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal, refusedWith } from "#lib/core/errors.ts";
import { canMove, whyNot } from "#lib/core/lifecycle.ts";
import { valueReader } from "#lib/custom-fields/values.ts";
import { expectApproval } from "#lib/required-approvals/expect.ts";
import { lockContract } from "#lib/required-approvals/rows.ts";
import { archiveAfter } from "./archive.ts";
import { fieldsOf } from "./create.ts";
import { type ContractStatus, contractLifecycle } from "./lifecycle.ts";
import type { ContractRow } from "./rows.ts";
import type { ContractPatch } from "./schema.ts";
import { type Fields, newPartyIssues, updateContract } from "./update.ts";

/** Changes what a PATCH names. Dates move the obligations with them. */
export async function patchContract(
  ctx: Context,
  { id, archived, ...patch }: ContractPatch,
): Promise<ContractRow> {
  const { customFields } = patch;
  const fields = fieldsOf(patch);
  const read = customFields && (await valueReader(ctx, [customFields]));
  const valuesOf = async (before: ContractRow) =>
    read ? { fieldValues: read(customFields, before.fieldValues) } : {};
  const update = () =>
    updateContract(ctx, id, async (before) => {
      const values = await valuesOf(before).catch(refusedWith(() => newPartyIssues(ctx, before, fields)));
      return { fields: { ...fields, ...values }, action: "CONTRACT_UPDATED" };
    });
  return archived === undefined ? update() : archiveAfter(ctx, id, archived, update);
}

/** Sets the dates and the term that obligations are counted from. */
export async function setAnchors(ctx: Context, { id, ...anchors }: ContractPatch): Promise<void> {
  await updateContract(ctx, id, () => ({ fields: fieldsOf(anchors), action: "CONTRACT_ANCHORS_CHANGED" }));
}

export async function setCounterparty(
  ctx: Context,
  { id, counterpartyId }: { id: string; counterpartyId: string },
): Promise<ContractRow> {
  return updateContract(ctx, id, () => ({
    fields: { counterpartyId },
    action: "CONTRACT_COUNTERPARTY_CHANGED",
  }));
}

interface Move {
  id: string;
  next: ContractStatus;
  reason?: string | null;
}

/**
 * Moves a contract to another status, by hand. A member, or an assistant for them, approves nothing that rules want others
 * to approve; what a key says is recorded, and sending asks all the same.
 */
export async function moveContract(ctx: Context, move: Move): Promise<ContractRow> {
  if (move.next !== "APPROVED" || ctx.actor.kind !== "user") return moveByHand(ctx, move);
  return change(ctx, async (tx) => {
    const { status } = await lockContract(tx, ctx, move.id);
    if (canMove(contractLifecycle, status as ContractStatus, "APPROVED")) await expectApproval(ctx, move.id);
    return moveByHand(ctx, move);
  });
}

/** Of two moves at the same time one is refused. What approvals a contract needs, the caller has seen to. */
export async function moveByHand(ctx: Context, { id, next, reason }: Move): Promise<ContractRow> {
  let first: ContractStatus | undefined;
  return updateContract(ctx, id, (before) => {
    if (first !== undefined && before.status !== first) {
      throw new Refusal(
        "conflict",
        `Someone else has just changed this contract's status to ${before.status}.`,
      );
    }
    first = before.status;
    if (!canMove(contractLifecycle, before.status, next)) {
      throw new Refusal("invalid_transition", whyNot(contractLifecycle, before.status, next));
    }
    return { fields: movedFields(before, next, ctx), action: "CONTRACT_STATUS_CHANGED", reason };
  });
}

/**
 * Sends a version of a contract out for signature, in the change of the signature request that does so. Answers what the
 * contract was before.
 */
export async function sendContractOut(ctx: Context, id: string, versionId: string): Promise<ContractStatus> {
  await change(ctx, async (tx) => {
    const { status } = await lockContract(tx, ctx, id);
    const isPossible = canMove(contractLifecycle, status as ContractStatus, "OUT_FOR_SIGNATURE", "system");
    if (isPossible) await expectApproval(ctx, id, versionId);
  });
  let from: ContractStatus = "DRAFT";
  await updateContract(ctx, id, (before) => {
    from = before.status;
    const next = "OUT_FOR_SIGNATURE";
    if (before.archivedAt !== null) {
      throw new Refusal("conflict", "This contract is archived. Unarchive it before you send it.");
    }
    if (from === next) {
      throw new Refusal(
        "envelope_open",
        "Another signature request of this contract is out for signature. Void it first.",
      );
    }
    if (!canMove(contractLifecycle, from, next, "system")) {
      const why = contractLifecycle[from].why ?? "";
      throw new Refusal(
        "invalid_transition",
        `A contract that is ${from} cannot be sent for signature. ${why}`.trim(),
      );
    }
    return { fields: movedFields(before, next, ctx), action: "CONTRACT_STATUS_CHANGED" };
  });
  return from;
}

/** Moves a contract as its signature request goes: on if it still is `from`, and else it stays where it is. */
export async function moveContractOn(
  ctx: Context,
  id: string,
  { from, next, reason }: { from: ContractStatus; next: ContractStatus; reason: string | null },
): Promise<void> {
  await updateContract(ctx, id, (before) => {
    const moves = before.status === from && canMove(contractLifecycle, from, next, "system");
    const fields = moves ? movedFields(before, next, ctx) : {};
    return { fields, action: "CONTRACT_STATUS_CHANGED", reason };
  });
}

function movedFields(before: ContractRow, next: ContractStatus, ctx: Context): Fields {
  const now = ctx.now.toISOString();
  const executed = next === "EXECUTED" && before.executedAt === null ? { executedAt: now } : {};
  return { status: next, statusChangedAt: now, ...executed };
}

/** Removes it with its documents. What points to it from elsewhere has gone before. */
export async function removeContract(tx: Transaction, ctx: Context, id: string): Promise<void> {
  await tx.documentVersion.deleteMany({ where: { ...own(ctx), contractId: id } });
  await tx.contract.delete({ where: { organizationId_id: { ...own(ctx), id } } });
}
