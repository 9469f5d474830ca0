/** Reads and locks an envelope with its signers and fields, and converts it to the API's signature request. */
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { type EnvelopeStatus, handwrittenTypes, signerStatus, signersOnTurn } from "./lifecycle.ts";

const version = {
  select: { id: true, versionNumber: true, fileName: true },
} as const;

export const include = {
  contract: { select: { id: true, title: true, status: true } },
  documentVersion: version,
  signedVersion: version,
  signers: { orderBy: [{ orderIndex: "asc" }, { id: "asc" }] },
  fields: { orderBy: [{ pageIndex: "asc" }, { yPct: "asc" }, { id: "asc" }] },
} satisfies Prisma.EnvelopeInclude;

export type EnvelopeRow = Prisma.EnvelopeGetPayload<{ include: typeof include }>;
export type SignerRow = EnvelopeRow["signers"][number];
export type FieldRow = EnvelopeRow["fields"][number];

/** Reads one envelope. */
export async function findRow(ctx: Context, id: string): Promise<EnvelopeRow> {
  const row = await reader().envelope.findUnique({
    where: { organizationId_id: { ...own(ctx), id } },
    include,
  });
  if (!row) throw notFound("signature request");
  return row;
}

/**
 * Reads one envelope and locks it until the transaction ends. Everything that decides about an envelope takes this
 * lock, so two tabs, two workers or a retry do a thing once.
 */
export async function lockRow(tx: Transaction, ctx: Context, id: string): Promise<EnvelopeRow> {
  const where = { organizationId_id: { ...own(ctx), id } };
  await tx.$queryRaw`SELECT 1 AS locked FROM envelopes
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR UPDATE`;
  const row = await tx.envelope.findUnique({ where, include });
  if (!row) throw notFound("signature request");
  return row;
}

/** A signer of the envelope. */
export function signerOf(row: EnvelopeRow, signerId: string): SignerRow {
  const signer = row.signers.find(({ id }) => id === signerId);
  if (!signer) throw notFound("signer");
  return signer;
}

/** For lists, without options: 500 fields on each of 100 requests would be too many. */
export const includeListed = {
  ...include,
  fields: { ...include.fields, omit: { options: true } },
} satisfies Prisma.EnvelopeInclude;

/** The appearance of a signature is never returned. */
export const withoutMark = <Field extends Pick<FieldRow, "type" | "value">>(field: Field) =>
  handwrittenTypes.has(field.type) ? { ...field, value: null } : field;

/** The API's representation. A signer's values are visible to others only once that signer has signed. */
export function envelopeFrom(row: Prisma.EnvelopeGetPayload<{ include: typeof includeListed }>) {
  const status = row.status as EnvelopeStatus;
  const signers = row.signers.map((signer) => ({
    ...signer,
    expiresAt: row.deadline,
    status: signerStatus(signer, status),
  }));
  const signed = new Set(row.signers.filter(({ signedAt }) => signedAt !== null).map(({ id }) => id));
  const fields = row.fields.map((field) =>
    signed.has(field.signerId) ? withoutMark(field) : { ...field, filled: false, value: null },
  );
  return { ...row, signers, fields, hasUnsignedPdf: row.pdfSha256 !== null, progress: progressOf(signers) };
}

type SignerWithStatus = SignerRow & { status: ReturnType<typeof signerStatus> };

function progressOf(signers: SignerWithStatus[]) {
  const counted = signers.filter((signer) => signer.status !== "DELEGATED");
  const signed = counted.filter((signer) => signer.status === "SIGNED");
  const awaiting = counted.filter((signer) => ["PENDING", "NOTIFIED", "VIEWED"].includes(signer.status));
  const times = signed.map((signer) => signer.signedAt?.getTime() ?? 0);
  return {
    totalSigners: counted.length,
    signedCount: signed.length,
    declinedCount: counted.filter((signer) => signer.status === "DECLINED").length,
    awaitingCount: awaiting.length,
    awaitingSigner: awaiting.length > 0 ? (signersOnTurn({ signers: awaiting })[0] ?? null) : null,
    lastSignedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  };
}

/** Identifies the envelope in the audit log. */
export const auditSubject = (row: EnvelopeRow) => ({
  target: { type: "signature_request", id: row.id },
  contract: { id: row.contract.id, title: row.contract.title },
});

/** Returns the member who is sending; throws for API keys and viewers. */
export function requireSender(ctx: Context): Extract<Context["actor"], { kind: "user" }> {
  const { actor } = ctx;
  if (actor.kind === "user" && actor.role !== "viewer") return actor;
  throw new Refusal(
    "forbidden",
    actor.kind === "user"
      ? "Viewers cannot send for signature. Ask an admin of the workspace for the role member."
      : "Sending for signature is for signed-in members.",
  );
}
