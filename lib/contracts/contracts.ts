/** Changes contracts, moves them through their lifecycle, and deletes them. */

import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal, rethrowWithIssues } from "#lib/core/errors.ts";
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

/** Applies a PATCH. If dates change, those of the obligations change with them. */
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
      const values = await valuesOf(before).catch(
        rethrowWithIssues(() => newPartyIssues(ctx, before, fields)),
      );
      return { fields: { ...fields, ...values }, action: "CONTRACT_UPDATED" };
    });
  return archived === undefined ? update() : archiveAfter(ctx, id, archived, update);
}

/** Sets the dates and the term from which obligations are calculated. */
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
 * Moves a contract to another status by hand. A member, or an assistant acting for one, cannot approve a contract
 * whose rules require others' approval. An API key's status is recorded as given; sending checks the approvals
 * anyway.
 */
export async function moveContract(ctx: Context, move: Move): Promise<ContractRow> {
  if (move.next !== "APPROVED" || ctx.actor.kind !== "user") return moveByHand(ctx, move);
  return change(ctx, async (tx) => {
    const { status } = await lockContract(tx, ctx, move.id);
    if (canMove(contractLifecycle, status as ContractStatus, "APPROVED")) await expectApproval(ctx, move.id);
    return moveByHand(ctx, move);
  });
}

/**
 * Moves a contract whose required approvals the caller has checked. If two callers move it at the same time,
 * one gets an error.
 */
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
 * Sends a version of a contract out for signature, within the signature request's transaction. Returns the contract's
 * previous status.
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

/** Moves a contract on with its signature request if its status is still `from`; otherwise leaves it unchanged. */
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

/** Deletes a contract and its documents. The caller has deleted everything else that references it. */
export async function removeContract(tx: Transaction, ctx: Context, id: string): Promise<void> {
  await tx.documentVersion.deleteMany({ where: { ...own(ctx), contractId: id } });
  await tx.contract.delete({ where: { organizationId_id: { ...own(ctx), id } } });
}
