/**
 * Signing links outside e-mail: copied by someone responsible for the request, or opened by a signer who is a member.
 */
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import type { SignerId } from "#lib/signatures/draft/schema.ts";
import { addEvent } from "#lib/signatures/events.ts";
import { whyNoLink } from "#lib/signatures/lifecycle.ts";
import { createLink } from "#lib/signatures/links.ts";
import { notifyOfCopiedLink } from "#lib/signatures/notices.ts";
import { auditSubject, requireSender, type SignerRow, signerOf } from "#lib/signatures/rows.ts";
import { lockOutForSignature, requirePending } from "./manage.ts";

/** The signers who are members, however they were added: matching a member's address is enough. */
export async function membersAmong(
  tx: { member: Pick<Transaction["member"], "findMany"> },
  ctx: Context,
  signers: readonly Pick<SignerRow, "id" | "userId" | "email">[],
): Promise<Set<string>> {
  const found = await tx.member.findMany({
    where: {
      ...own(ctx),
      removedAt: null,
      user: { OR: signers.map(({ email }) => ({ email: { equals: email, mode: "insensitive" } })) },
    },
    select: { user: { select: { email: true } } },
  });
  const addresses = new Set(found.map(({ user }) => user.email.toLowerCase()));
  const isMember = ({ userId, email }: (typeof signers)[number]) =>
    userId !== null || addresses.has(email.toLowerCase());
  return new Set(signers.filter(isMember).map(({ id }) => id));
}

/** Creates a link to pass on by other means than e-mail. Records it in the history and tells the signer. */
export async function copyLink(ctx: Context, { envelopeId, signerId }: SignerId): Promise<{ url: string }> {
  const sender = requireSender(ctx);
  return change(ctx, async (tx, record) => {
    const row = await lockOutForSignature(tx, ctx, envelopeId);
    const signer = signerOf(row, signerId);
    requirePending(signer);
    const isMember = (await membersAmong(tx, ctx, [signer])).has(signer.id);
    const refusal = whyNoLink({ name: signer.name, isMember }, row.sentById, sender);
    if (refusal) throw new Refusal("forbidden", refusal);
    const { url } = await createLink(tx, ctx, signerId);
    await addEvent(tx, ctx, { envelopeId, signerId, type: "LINK_COPIED", details: { email: signer.email } });
    await notifyOfCopiedLink(tx, ctx, row, signer, sender);
    record({
      action: "SIGNATURE_REQUEST_LINK_COPIED",
      ...auditSubject(row),
      changes: { signer: { from: null, to: signer.name } },
    });
    return { url };
  });
}

/** Takes a member who is a signer to their own signing page: their session proves who they are. */
export async function openOwnLink(
  ctx: Context,
  { envelopeId, signerId }: SignerId,
): Promise<{ url: string }> {
  const { id: userId } = requireSender(ctx);
  return change(ctx, async (tx) => {
    const row = await lockOutForSignature(tx, ctx, envelopeId);
    const signer = signerOf(row, signerId);
    if (signer.userId !== userId) {
      throw new Refusal("forbidden", `Only ${signer.name} can sign here as ${signer.name}.`);
    }
    requirePending(signer);
    const { url } = await createLink(tx, ctx, signerId);
    await addEvent(tx, ctx, { envelopeId, signerId, type: "SESSION_VERIFIED" });
    return { url };
  });
}
