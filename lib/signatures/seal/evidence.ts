/** The contents of a request's certificate: who signed what, when and how, and the whole chain of events. */
import type { Context } from "#lib/core/context.ts";
import { db } from "#lib/core/db.ts";
import type { EvidenceSigner, UnsealedEvidence } from "#lib/documents/seal/evidence.ts";
import type { chainOf } from "#lib/signatures/events.ts";
import type { EnvelopeStatus } from "#lib/signatures/lifecycle.ts";
import { signerStatus } from "#lib/signatures/lifecycle.ts";
import { senderOf } from "#lib/signatures/notices.ts";
import type { EnvelopeRow, SignerRow } from "#lib/signatures/rows.ts";

const time = (moment: Date | null) => moment?.toISOString() ?? null;
const person = (signer: SignerRow | undefined) =>
  signer ? { name: signer.name, email: signer.email } : null;

export async function evidenceOf(
  ctx: Context,
  row: EnvelopeRow,
  events: Awaited<ReturnType<typeof chainOf>>,
): Promise<UnsealedEvidence> {
  const [{ workspaceName, senderName, senderEmail }, checkpoint] = await Promise.all([
    senderOf(db, row),
    auditHead(ctx),
  ]);
  const proofs = proofsIn(events);
  const signedAt = row.signers.map((signer) => signer.signedAt?.getTime() ?? 0);
  return {
    version: 1,
    organization: { id: row.organizationId, name: workspaceName },
    envelope: {
      id: row.id,
      contractId: row.contractId,
      title: row.subject,
      sentAt: time(row.sentAt),
      sentBy: { name: senderName, email: senderEmail },
      completedAt: new Date(Math.max(...signedAt)).toISOString(),
    },
    document: {
      versionId: row.documentVersionId,
      fileName: row.documentVersion.fileName,
      sha256: row.documentSnapshotHash ?? "",
      pdfSha256: row.pdfSha256 ?? "",
    },
    signers: row.signers.map((signer) => evidenceSigner(row, signer, proofs.get(signer.id))),
    events: events.map(
      ({ id, type, actor, signerId, ipAddress, userAgent, details, prevHash, hash, createdAt }) => ({
        ...{ id, type, at: createdAt, actor, signerId, ipAddress, userAgent, prevHash, hash },
        details: details as UnsealedEvidence["events"][number]["details"],
      }),
    ),
    checkpoint,
  };
}

/**
 * How a signer may have got here other than by a mailed link: by a link that the sender copied, which is the weakest
 * proof and therefore the one reported, or through their own session. A correction revokes all earlier links.
 */
function proofsIn(events: Awaited<ReturnType<typeof chainOf>>): Map<string | null, "SENDER" | "SESSION"> {
  const proofs = new Map<string | null, "SENDER" | "SESSION">();
  for (const { type, signerId, details } of events) {
    // Copied links used to be recorded as notifications.
    const isCopy = type === "LINK_COPIED" || (type === "NOTIFIED" && "copiedLink" in Object(details ?? {}));
    if (isCopy) proofs.set(signerId, "SENDER");
    if (type === "SESSION_VERIFIED" && !proofs.has(signerId)) proofs.set(signerId, "SESSION");
    if (type === "SIGNER_CORRECTED") proofs.delete(signerId);
  }
  return proofs;
}

function evidenceSigner(
  row: EnvelopeRow,
  signer: SignerRow,
  proof: "SENDER" | "SESSION" | undefined,
): EvidenceSigner {
  const { id, name, email, orderIndex } = signer;
  return {
    ...{ id, name, email, orderIndex },
    party: signer.party as EvidenceSigner["party"],
    status: signerStatus(signer, row.status as EnvelopeStatus),
    viewedAt: time(signer.viewedAt),
    consentAt: time(signer.consentAt),
    consentSha256: signer.consentHash,
    signedAt: time(signer.signedAt),
    signedName: signer.signedName,
    ipAddress: signer.signedIp,
    userAgent: signer.signedUserAgent,
    verifiedBy: signer.codeRequired ? "EMAIL_CODE" : (proof ?? "EMAIL_LINK"),
    delegatedTo: person(row.signers.find((other) => other.id === signer.delegatedToId)),
    delegatedFrom: person(row.signers.find((other) => other.delegatedToId === signer.id)),
  };
}

/** The current end of the workspace's audit log: the seal proves that everything before it existed. */
async function auditHead(ctx: Context) {
  const [head] = await db.$queryRaw<{ seq: bigint; hash: Uint8Array }[]>`
    SELECT seq, hash FROM workspace_heads WHERE organization_id = ${ctx.organizationId}`;
  if (!head) return null;
  const hash = Buffer.from(head.hash).toString("hex");
  return { seq: head.seq.toString(), hash, at: ctx.now.toISOString() };
}
