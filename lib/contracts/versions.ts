/** Document versions: the rows. Their bytes are stored before (lib/storage.ts). */
import { change, reader } from "#lib/change.ts";
import { type Context, own } from "#lib/context.ts";
import type { Prisma, Transaction } from "#lib/db.ts";
import { notFound, Refusal } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import { enqueue } from "#lib/queue.ts";
import { hold } from "#lib/storage/hold.ts";
import type { versionSources } from "./schema.ts";

export type VersionRow = Prisma.DocumentVersionGetPayload<object>;

export interface NewVersion {
  contractId: string;
  source: (typeof versionSources)[number];
  fileName: string;
  contentType: string;
  sha256: string;
  sizeBytes: number;
  /** Where it is left out: the latest version before. */
  parentVersionId?: string | null;
  /** Of a PDF, where it is known. */
  pageCount?: number | null;
}

export const pdfType = "application/pdf";

const uploaded = new Set<NewVersion["source"]>(["UPLOADED", "IMPORTED"]);

/** Gives a contract its next version; the job `versions.prepare` makes what is missing: PDF, pages, text. */
export async function addVersion(ctx: Context, input: NewVersion): Promise<VersionRow> {
  return change(ctx, async (tx, record) => {
    const contract = await touchContract(tx, ctx, input.contractId);
    await hold(tx, ctx.organizationId, input.sha256);
    await refuseDuplicate(tx, ctx, input);
    const version = await insert(tx, ctx, input);
    record({
      action: uploaded.has(input.source) ? "VERSION_UPLOADED" : "VERSION_GENERATED",
      target: { type: "version", id: version.id },
      contract,
      changes: {
        versionNumber: { from: null, to: version.versionNumber },
        fileName: { from: null, to: version.fileName },
        sha256: { from: null, to: version.sha256 },
      },
      resource: { version },
    });
    const payload = { organizationId: ctx.organizationId, versionId: version.id };
    await enqueue(tx, "versions.prepare", payload, { jobKey: `versions.prepare ${version.id}` });
    return version;
  });
}

/** A document is activity. The row stays locked until the commit, so version numbers have no gaps. */
async function touchContract(tx: Transaction, ctx: Context, id: string) {
  const [contract] = await tx.$queryRaw<{ id: string; title: string }[]>`
    UPDATE contracts SET last_activity_at = GREATEST(last_activity_at, ${ctx.now}::timestamptz)
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} RETURNING id, title`;
  if (!contract) throw notFound("contract");
  return contract;
}

async function refuseDuplicate(tx: Transaction, ctx: Context, { contractId, sha256 }: NewVersion) {
  const same = await tx.documentVersion.findFirst({ where: { ...own(ctx), contractId, sha256 } });
  if (!same) return;
  throw new Refusal(
    "duplicate_document",
    `This document is there already: it is version ${same.versionNumber} (${same.id}, ${same.fileName}) of the contract.`,
  );
}

async function insert(tx: Transaction, ctx: Context, input: NewVersion): Promise<VersionRow> {
  const { contractId, contentType, sha256, sizeBytes, pageCount = null, ...rest } = input;
  const latest = await tx.documentVersion.findFirst({
    where: { ...own(ctx), contractId },
    orderBy: { versionNumber: "desc" },
    select: { id: true, versionNumber: true },
  });
  const isPdf = contentType === pdfType;
  return tx.documentVersion.create({
    data: {
      parentVersionId: latest?.id ?? null,
      ...rest,
      ...own(ctx),
      id: newId("version"),
      contractId,
      versionNumber: (latest?.versionNumber ?? 0) + 1,
      contentType,
      sha256,
      sizeBytes,
      uploadedById: ctx.actor.kind === "user" ? ctx.actor.id : null,
      ...(isPdf ? { pdfState: "READY", pdfSha256: sha256, pdfSizeBytes: sizeBytes, pageCount } : {}),
      createdAt: ctx.now,
    },
  });
}

/** One version of a contract. */
export async function findVersion(
  ctx: Context,
  { contractId, versionId }: { contractId: string; versionId: string },
): Promise<VersionRow> {
  const version = await reader().documentVersion.findFirst({
    where: { ...own(ctx), contractId, id: versionId },
  });
  if (!version) throw notFound("version");
  return version;
}

/** All versions of a contract, the newest first. */
export async function listVersions(ctx: Context, contractId: string): Promise<VersionRow[]> {
  const where = { ...own(ctx), contractId };
  const versions = await reader().documentVersion.findMany({ where, orderBy: { versionNumber: "desc" } });
  if (versions.length > 0) return versions;
  const contract = await reader().contract.findFirst({ where: { ...own(ctx), id: contractId } });
  if (!contract) throw notFound("contract");
  return [];
}
