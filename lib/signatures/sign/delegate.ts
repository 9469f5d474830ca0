/** Delegation: someone else signs instead, at the same place in the order, with the same fields. */
import { type Context, own } from "#lib/core/context.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { maxSigners } from "#lib/signatures/draft/schema.ts";
import { addEvent } from "#lib/signatures/events.ts";
import { notifyOfDelegation, notifyTurn } from "#lib/signatures/notices.ts";
import { auditSubject, type EnvelopeRow, envelopeFrom, include } from "#lib/signatures/rows.ts";
import type { Delegation } from "./schema.ts";
import { inTurn } from "./turn.ts";

/** Makes the delegate a signer. The links of the one who delegated show from then on that they did. */
export async function delegate(ctx: Context, { name, email, reason = "" }: Delegation): Promise<EnvelopeRow> {
  return inTurn(ctx, { consented: false }, async ({ tx, record, row, signer }) => {
    const same = row.signers.find((other) => other.email.toLowerCase() === email.toLowerCase());
    if (same)
      throw invalid({ path: "email", message: `is ${same.name}'s, who has already been asked to sign` });
    if (row.signers.length >= maxSigners) throw tooMany();
    const id = newId("signer");
    const { orderIndex, codeRequired } = signer;
    await tx.signer.create({
      data: {
        ...own(ctx),
        ...{ id, envelopeId: row.id, name, email, party: "EXTERNAL", orderIndex, codeRequired },
      },
    });
    await tx.signer.update({
      where: { organizationId_id: { ...own(ctx), id: signer.id }, delegatedAt: null },
      data: { delegatedAt: ctx.now, delegatedToId: id, delegateReason: reason || null },
    });
    await tx.signatureField.updateMany({
      where: { ...own(ctx), envelopeId: row.id, signerId: signer.id },
      data: { signerId: id, filled: false, value: null },
    });
    await addEvent(tx, ctx, {
      ...{ envelopeId: row.id, signerId: signer.id, type: "DELEGATED" },
      details: { to: { id, name, email }, reason: reason || null },
    });
    const after = await tx.envelope.update({
      where: { organizationId_id: { ...own(ctx), id: row.id } },
      data: { updatedAt: ctx.now },
      include,
    });
    await notifyTurn(tx, ctx, after);
    await notifyOfDelegation(tx, ctx, row, { from: signer.name, to: name });
    record({
      action: "SIGNATURE_REQUEST_DELEGATED",
      ...auditSubject(row),
      reason: reason || null,
      resource: { envelope: envelopeFrom(after) },
    });
    return after;
  });
}

/** Those who delegated count too: they stay in the history and in every response about the request. */
const tooMany = () =>
  new Refusal(
    "conflict",
    `It has been delegated too often: a request has at most ${maxSigners} signers. Ask the sender for a new one.`,
  );
