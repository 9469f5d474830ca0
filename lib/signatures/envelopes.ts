/** Signature requests, as they are read. */
import { reader } from "#lib/change.ts";
import { type Context, own } from "#lib/context.ts";
import { findContract } from "#lib/contracts/rows.ts";
import type { Prisma } from "#lib/db.ts";
import { notFound } from "#lib/errors.ts";
import { paged } from "#lib/wire.ts";
import { type EnvelopeStatus, signerStatus } from "./lifecycle.ts";
import type { EnvelopeQuery, SigningEventQuery } from "./schema.ts";

const version = { select: { id: true, versionNumber: true, fileName: true } } as const;

const include = {
  contract: { select: { id: true, title: true, status: true } },
  documentVersion: version,
  signedVersion: version,
  signers: { orderBy: [{ orderIndex: "asc" }, { id: "asc" }] },
  fields: { orderBy: [{ pageIndex: "asc" }, { yPct: "asc" }, { id: "asc" }] },
} satisfies Prisma.EnvelopeInclude;

type Row = Prisma.EnvelopeGetPayload<{ include: typeof include }>;

/** A page of the workspace's envelopes, or of one contract's. */
export async function listEnvelopes(ctx: Context, input: EnvelopeQuery, contractId?: string) {
  if (contractId !== undefined) await findContract(ctx, contractId);
  const where: Prisma.EnvelopeWhereInput = {
    ...own(ctx),
    ...(contractId === undefined ? {} : { contractId }),
    ...(input.status ? { status: { in: input.status } } : {}),
  };
  const order =
    input.sort === "completedAt"
      ? { completedAt: { sort: input.dir, nulls: "last" as const } }
      : { [input.sort]: input.dir };
  const [rows, total] = await Promise.all([
    reader().envelope.findMany({
      where,
      include,
      orderBy: [order, { id: input.dir }],
      skip: (input.page - 1) * input.pageSize,
      take: input.pageSize,
    }),
    reader().envelope.count({ where }),
  ]);
  return paged(rows.map(envelopeFrom), { page: input.page, pageSize: input.pageSize, total });
}

export async function findEnvelope(ctx: Context, id: string) {
  const row = await reader().envelope.findUnique({
    where: { organizationId_id: { ...own(ctx), id } },
    include,
  });
  if (!row) throw notFound("signature request");
  return envelopeFrom(row);
}

/** A page of what happened to an envelope, the latest first. */
export async function listSigningEvents(ctx: Context, input: SigningEventQuery) {
  await findEnvelope(ctx, input.envelopeId);
  const where = { ...own(ctx), envelopeId: input.envelopeId };
  const [rows, total] = await Promise.all([
    reader().signingEvent.findMany({
      where,
      orderBy: { id: input.dir },
      skip: (input.page - 1) * input.pageSize,
      take: input.pageSize,
    }),
    reader().signingEvent.count({ where }),
  ]);
  return paged(rows, { page: input.page, pageSize: input.pageSize, total });
}

/** The images of signatures are never shown. */
const handwritten = new Set(["SIGNATURE", "INITIALS"]);

function envelopeFrom(row: Row) {
  const status = row.status as EnvelopeStatus;
  const signers = row.signers.map((signer) => ({ ...signer, status: signerStatus(signer, status) }));
  const fields = row.fields.map((field) => (handwritten.has(field.type) ? { ...field, value: null } : field));
  return { ...row, signers, fields, hasUnsignedPdf: row.pdfSha256 !== null, progress: progressOf(signers) };
}

type SignerRow = Row["signers"][number] & { status: ReturnType<typeof signerStatus> };

function progressOf(signers: SignerRow[]) {
  const counted = signers.filter((signer) => signer.status !== "DELEGATED");
  const signed = counted.filter((signer) => signer.status === "SIGNED");
  const awaiting = counted.filter((signer) => ["PENDING", "NOTIFIED", "VIEWED"].includes(signer.status));
  const times = signed.map((signer) => signer.signedAt?.getTime() ?? 0);
  return {
    totalSigners: counted.length,
    signedCount: signed.length,
    declinedCount: counted.filter((signer) => signer.status === "DECLINED").length,
    awaitingCount: awaiting.length,
    awaitingSigner: awaiting[0] ?? null,
    lastSignedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  };
}
