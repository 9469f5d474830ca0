/** What senders can do with a request that is out: remind, correct, extend, void. */

import { sendContractOut } from "#lib/contracts/contracts.ts";
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { whyNot } from "#lib/core/lifecycle.ts";
import type { Correction, Extension, Reminder, Voiding } from "#lib/signatures/draft/schema.ts";
import { endRequest } from "#lib/signatures/endings.ts";
import { addEvent } from "#lib/signatures/events.ts";
import {
  canManageRequest,
  type EnvelopeStatus,
  envelopeLifecycle,
  isOutForSignature,
  isPastDeadline,
  signersOnTurn,
} from "#lib/signatures/lifecycle.ts";
import { revokeLinks } from "#lib/signatures/links.ts";
import { departedSigners } from "#lib/signatures/membership.ts";
import { notifySigner, notifyTurn, remindSigner } from "#lib/signatures/notices.ts";
import {
  auditSubject,
  type EnvelopeRow,
  envelopeFrom,
  findRow,
  lockRow,
  requireSender,
  type SignerRow,
  signerOf,
} from "#lib/signatures/rows.ts";

/** Locks a request; throws if it cannot be signed now. */
export async function lockOutForSignature(tx: Transaction, ctx: Context, id: string): Promise<EnvelopeRow> {
  const row = await lockRow(tx, ctx, id);
  if (isOutForSignature(row.status)) return row;
  throw new Refusal("invalid_transition", `This request is ${row.status}: no one is being asked to sign it.`);
}

/** Throws if a signer has acted already. */
export function requirePending(signer: SignerRow): void {
  const done = signer.signedAt
    ? "signed"
    : signer.declinedAt
      ? "declined"
      : signer.delegatedAt
        ? "delegated"
        : null;
  if (done) throw new Refusal("invalid_transition", `${signer.name} has already ${done}.`);
}

/** Keeps a second click, or a second member, from sending the same mail again. */
const remindAgainMs = 60_000;

/** Reminds the signers whose turn it is, each with a link of their own. */
export async function remind(ctx: Context, { envelopeId, signerId }: Reminder): Promise<void> {
  requireSender(ctx);
  await change(ctx, async (tx, record) => {
    const row = await lockOutForSignature(tx, ctx, envelopeId);
    if (signerId !== undefined) requirePending(signerOf(row, signerId));
    const asked = signersOnTurn(row).filter(({ id }) => signerId === undefined || id === signerId);
    if (asked.length === 0) throw new Refusal("invalid_transition", "It is not this signer's turn yet.");
    const since = ctx.now.getTime() - remindAgainMs;
    const due = asked.filter(
      (signer) => (signer.remindedAt ?? signer.notifiedAt ?? new Date(0)).getTime() <= since,
    );
    if (due.length === 0) throw new Refusal("conflict", "They were asked less than a minute ago.");
    for (const signer of due) await remindSigner(tx, ctx, row, signer);
    record({ action: "SIGNATURE_REQUEST_REMINDED", ...auditSubject(row) });
  });
}

/**
 * Corrects a signer's name or address. Revokes all their links and resets what they had viewed. Whoever reads the new
 * mailbox can sign in the signer's name, so only those responsible for the request may change the address.
 */
export async function correctSigner(
  ctx: Context,
  { envelopeId, signerId, ...given }: Correction,
): Promise<void> {
  const sender = requireSender(ctx);
  await change(ctx, async (tx, record) => {
    const row = await lockOutForSignature(tx, ctx, envelopeId);
    const signer = signerOf(row, signerId);
    requirePending(signer);
    const { name = signer.name, email = signer.email } = given;
    if (name === signer.name && email === signer.email) return;
    if (email !== signer.email && !canManageRequest(row.sentById, sender)) {
      throw new Refusal(
        "forbidden",
        "A signer's address can be corrected by the sender of the request, an owner or an admin.",
      );
    }
    refuseSharedAddress(row, signerId, email);
    const isOthers = signer.party === "ORG_USER" && email !== signer.email;
    if (isOthers && !(await departedSigners(ctx, [signer])).has(signerId)) {
      throw invalid({ path: "email", message: "is a member's address and cannot be changed" });
    }
    const asExternal = isOthers ? { party: "EXTERNAL", userId: null } : {};
    await revokeLinks(tx, ctx, signerId);
    const reset = { notifiedAt: null, viewedAt: null, consentAt: null, consentHash: null, ...noSignature };
    await tx.signer.update({
      where: { organizationId_id: { ...own(ctx), id: signerId } },
      data: { name, email, ...asExternal, ...reset },
    });
    await tx.signatureField.updateMany({
      where: { ...own(ctx), envelopeId, signerId },
      data: { filled: false, value: null },
    });
    await addEvent(tx, ctx, {
      ...{ envelopeId, signerId, type: "SIGNER_CORRECTED" },
      details: { from: { name: signer.name, email: signer.email }, to: { name, email } },
    });
    await notifyTurn(tx, ctx, await findRow(ctx, envelopeId));
    record({
      action: "SIGNATURE_REQUEST_SIGNER_CORRECTED",
      ...auditSubject(row),
      changes: { name: { from: signer.name, to: name }, email: { from: signer.email, to: email } },
    });
  });
}

const noSignature = {
  signatureKind: null,
  signatureText: null,
  signatureSha256: null,
  initialsText: null,
  initialsSha256: null,
};

/** Two signers of a request must not share an address: nobody could tell which of them signed. */
function refuseSharedAddress(row: EnvelopeRow, signerId: string, email: string): void {
  const same = row.signers.find(
    (signer) => signer.id !== signerId && signer.email.toLowerCase() === email.toLowerCase(),
  );
  if (same) throw invalid({ path: "email", message: `is ${same.name}'s, who is also asked to sign` });
}

/** Sets a later deadline; reopens a request that had expired. */
export async function extendDeadline(ctx: Context, { envelopeId, deadline }: Extension): Promise<void> {
  requireSender(ctx);
  if (isPastDeadline({ deadline }, ctx.now))
    throw invalid({ path: "deadline", message: "must be in the future" });
  await change(ctx, async (tx, record) => {
    const row = await lockRow(tx, ctx, envelopeId);
    const isExpired = row.status === "EXPIRED";
    if (!isExpired && !isOutForSignature(row.status)) {
      throw new Refusal("invalid_transition", `This request is ${row.status}: it has no deadline to extend.`);
    }
    const again = isExpired
      ? {
          status: "SENT",
          expiredAt: null,
          previousContractStatus: await sendContractOut(ctx, row.contractId, row.documentVersionId),
        }
      : {};
    await tx.envelope.update({
      where: { organizationId_id: { ...own(ctx), id: row.id }, status: row.status },
      data: { deadline, ...again, updatedAt: ctx.now },
    });
    const from = row.deadline?.toISOString() ?? null;
    await addEvent(tx, ctx, {
      ...{ envelopeId, type: "DEADLINE_EXTENDED" },
      details: { from, to: deadline.toISOString() },
    });
    if (isExpired) {
      const extended = { ...row, deadline };
      for (const signer of signersOnTurn(extended)) await notifySigner(tx, ctx, extended, signer);
    }
    const changed = { deadline: { from, to: deadline.toISOString() } };
    record({ action: "SIGNATURE_REQUEST_DEADLINE_CHANGED", ...auditSubject(row), changes: changed });
    // An expired request is out again, and webhook receivers must learn of it.
    if (!isExpired) return;
    record({
      action: "SIGNATURE_REQUEST_SENT",
      ...auditSubject(row),
      resource: { envelope: envelopeFrom(await findRow(ctx, row.id)) },
      changes: { ...changed, status: { from: row.status, to: "SENT" } },
      reason: "The deadline was extended",
    });
  });
}

/** Voids a request. */
export async function voidRequest(ctx: Context, { envelopeId, reason }: Voiding): Promise<void> {
  const { name } = requireSender(ctx);
  await change(ctx, async (tx, record) => {
    const row = await lockRow(tx, ctx, envelopeId);
    const status = row.status as EnvelopeStatus;
    if (!isOutForSignature(status)) {
      const why =
        status === "SEALING"
          ? "Everyone has signed; it is being sealed. Once that has failed, an owner or admin can end it."
          : whyNot(envelopeLifecycle, status, "VOIDED");
      throw new Refusal("invalid_transition", why);
    }
    await endRequest(tx, ctx, record, row, { status: "VOIDED", by: name, reason });
  });
}
