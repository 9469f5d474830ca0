/** A request as the workspace's members see it: its progress, and the state of every mail. */
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { envelopeFrom, findRow } from "#lib/signatures/rows.ts";
import { membersAmong } from "./own-links.ts";

export async function findProgress(ctx: Context, envelopeId: string) {
  const row = await findRow(ctx, envelopeId);
  const [mails, version, members] = await Promise.all([
    reader().signingMail.findMany({
      where: { ...own(ctx), envelopeId },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    }),
    reader().documentVersion.findUnique({
      where: { organizationId_id: { ...own(ctx), id: row.documentVersionId } },
      select: { pageCount: true, pdfState: true },
    }),
    membersAmong(reader(), ctx, row.signers),
  ]);
  // The draft was deleted with its contract after it was read.
  if (!version) throw notFound("signature request");
  const envelope = envelopeFrom(row);
  const { sealAttempts: attempts, sealError: error, sealTriedAt: triedAt, nextSealAt: nextAttemptAt } = row;
  return {
    envelope: {
      ...envelope,
      ...version,
      sealing: row.status === "SEALING" ? { attempts, error, triedAt, nextAttemptAt } : null,
      signers: envelope.signers.map((signer) => ({
        ...signer,
        isMember: members.has(signer.id),
        mails: mails.filter(({ signerId }) => signerId === signer.id),
      })),
    },
  };
}
