/** The rows of document versions. Their bytes are stored first (lib/storage/store.ts). */
import { change, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Reader, Transaction } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import type { Entry } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import { jobsAhead } from "#lib/jobs/place.ts";
import { enqueue, enqueueAll } from "#lib/jobs/queue.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";
import { liveStatuses } from "./lifecycle.ts";
import { reviewAgain } from "./review.ts";
import { pdfType, type versionSources } from "./schema.ts";

export type VersionRow = Prisma.DocumentVersionGetPayload<object>;

export interface NewVersion {
  contractId: string;
  source: (typeof versionSources)[number];
  fileName: string;
  contentType: string;
  sha256: string;
  sizeBytes: number;
  /** Defaults to the latest version. */
  parentVersionId?: string | null;
  /** Of a PDF, if known. */
  pageCount?: number | null;
  /** Also rejects a document that a live contract of the workspace has already. */
  isNewToWorkspace?: boolean;
}

const uploaded = new Set<string>(["UPLOADED", "IMPORTED"]);

/** Adds a contract's next version; the job `versions.prepare` creates what is missing: PDF, pages, text. */
export async function addVersion(ctx: Context, input: NewVersion): Promise<VersionRow> {
  return change(ctx, async (tx, record) => {
    const contract = await touchContract(tx, ctx, input.contractId);
    await lockExistingFile(tx, ctx.organizationId, input.sha256);
    await refuseDuplicate(tx, ctx, input);
    const version = await insert(tx, ctx, input);
    record(entryOf(version, contract));
    await enqueuePreparation(tx, version);
    await reviewAgain(ctx, contract);
    return version;
  });
}

function entryOf(version: VersionRow, { id, title }: { id: string; title: string }): Entry {
  return {
    action: uploaded.has(version.source) ? "VERSION_UPLOADED" : "VERSION_GENERATED",
    target: { type: "version", id: version.id },
    contract: { id, title },
    changes: {
      versionNumber: { from: null, to: version.versionNumber },
      fileName: { from: null, to: version.fileName },
      sha256: { from: null, to: version.sha256 },
    },
    resource: { version },
  };
}

/** Adds the first versions of contracts created in this transaction, all at once. Their files are held already. */
export async function addFirstVersions(
  ctx: Context,
  inputs: (Omit<NewVersion, "contractId"> & { contract: { id: string; title: string } })[],
): Promise<void> {
  if (inputs.length === 0) return;
  const contracts = new Map(inputs.map(({ contract }) => [contract.id, contract]));
  await change(ctx, async (tx, record) => {
    const data = inputs.map(({ contract, ...input }) =>
      rowOf(ctx, { ...input, contractId: contract.id, parentVersionId: null }, 1),
    );
    const versions = await tx.documentVersion.createManyAndReturn({ data });
    for (const version of versions) record(entryOf(version, contracts.get(version.contractId)!));
    const jobs = versions.map(({ id }) => preparationOf(ctx.organizationId, id));
    await enqueueAll(tx, "versions.prepare", jobs, ctx.organizationId);
  });
}

const keyOf = (versionId: string) => `versions.prepare ${versionId}`;

const preparationOf = (organizationId: string, versionId: string) => ({
  payload: { organizationId, versionId },
  jobKey: keyOf(versionId),
});

/** Enqueues `versions.prepare` to create what a version lacks. */
export async function enqueuePreparation(
  tx: Transaction,
  { organizationId, id }: Pick<VersionRow, "organizationId" | "id">,
): Promise<void> {
  const { payload, jobKey } = preparationOf(organizationId, id);
  await enqueue(tx, "versions.prepare", payload, { jobKey, share: organizationId });
}

/** How many documents will be prepared before each version whose PDF is pending; null if none is pending. */
export async function withQueuePositions<Version extends Pick<VersionRow, "id" | "pdfState">>(
  versions: Version[],
) {
  const waiting = versions.filter(({ pdfState }) => pdfState === "PENDING");
  const places = await jobsAhead(
    "versions.prepare",
    waiting.map(({ id }) => keyOf(id)),
  );
  return versions.map((version) => ({
    ...version,
    documentsAhead: places.get(keyOf(version.id)) ?? null,
  }));
}

/** Adding a document is activity. The row stays locked until the commit, so version numbers have no gaps. */
async function touchContract(tx: Transaction, ctx: Context, id: string) {
  const [contract] = await tx.$queryRaw<{ id: string; title: string; status: string }[]>`
    UPDATE contracts SET last_activity_at = GREATEST(last_activity_at, ${ctx.now}::timestamptz)
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} RETURNING id, title, status`;
  if (!contract) throw notFound("contract");
  return contract;
}

async function refuseDuplicate(tx: Transaction, ctx: Context, input: NewVersion): Promise<void> {
  const { contractId, sha256, isNewToWorkspace } = input;
  const same = await findDuplicate(tx, ctx, sha256, isNewToWorkspace ? undefined : contractId);
  if (!same) return;
  const hint = isNewToWorkspace ? " Send allowDuplicate: true to use it again." : "";
  throw new Refusal("duplicate_document", `${existing({ ...same, title: same.contract.title })}${hint}`);
}

/** The first version with these bytes: of one contract, or else of any live one. */
export async function findDuplicate(
  store: Reader | Transaction,
  ctx: Context,
  sha256: string,
  contractId?: string,
) {
  const where = contractId === undefined ? { contract: { status: { in: liveStatuses } } } : { contractId };
  return store.documentVersion.findFirst({
    where: { ...own(ctx), sha256, ...where },
    orderBy: { id: "asc" },
    include: { contract: { select: { title: true } } },
  });
}

type Existing = Pick<VersionRow, "id" | "versionNumber" | "contractId"> & { title: string };

const existing = ({ id, versionNumber, contractId, title }: Existing) =>
  `This document already exists: it is version ${versionNumber} (${id}) of the contract "${title}", ${contractId}.`;

/**
 * Which of many documents live contracts of the workspace have already, except the given ones; returns a message for
 * each.
 */
export async function duplicateDocuments(
  store: Reader | Transaction,
  ctx: Context,
  sha256s: string[],
  exceptContracts: string[],
): Promise<Map<string, string>> {
  const rows = await store.$queryRaw<(Existing & { sha256: string })[]>`
    SELECT DISTINCT ON (v.sha256) v.sha256, v.id, v.version_number AS "versionNumber",
      v.contract_id AS "contractId", c.title
    FROM document_versions v JOIN contracts c ON c.organization_id = v.organization_id AND c.id = v.contract_id
    WHERE v.organization_id = ${ctx.organizationId} AND v.sha256 = ANY(${sha256s}) AND c.status = ANY(${liveStatuses})
      AND NOT EXISTS (SELECT 1 FROM unnest(${exceptContracts}::text[]) AS own (id) WHERE own.id = c.id)
    ORDER BY v.sha256, v.id`;
  return new Map(rows.map((row) => [row.sha256, existing(row)]));
}

async function insert(tx: Transaction, ctx: Context, input: NewVersion): Promise<VersionRow> {
  const latest = await tx.documentVersion.findFirst({
    where: { ...own(ctx), contractId: input.contractId },
    orderBy: { versionNumber: "desc" },
    select: { id: true, versionNumber: true },
  });
  const { parentVersionId = latest?.id ?? null } = input;
  return tx.documentVersion.create({
    data: rowOf(ctx, { ...input, parentVersionId }, (latest?.versionNumber ?? 0) + 1),
  });
}

function rowOf(ctx: Context, input: NewVersion & { parentVersionId: string | null }, versionNumber: number) {
  const { contractId, contentType, sha256, sizeBytes, pageCount = null, ...more } = input;
  const { source, fileName, parentVersionId } = more;
  const isPdf = contentType === pdfType;
  return {
    ...own(ctx),
    id: newId("version"),
    contractId,
    parentVersionId,
    source,
    fileName,
    versionNumber,
    contentType,
    sha256,
    sizeBytes,
    uploadedById: ctx.actor.kind === "user" ? ctx.actor.id : null,
    ...(isPdf ? { pdfState: "READY", pdfSha256: sha256, pdfSizeBytes: sizeBytes, pageCount } : {}),
    createdAt: ctx.now,
  };
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

/** All versions of a contract, newest first; or the first `atMost`. */
export async function listVersions(ctx: Context, contractId: string, atMost?: number): Promise<VersionRow[]> {
  const where = { ...own(ctx), contractId };
  const versions = await reader().documentVersion.findMany({
    where,
    orderBy: { versionNumber: "desc" },
    ...(atMost === undefined ? {} : { take: atMost }),
  });
  if (versions.length > 0) return versions;
  const contract = await reader().contract.findFirst({ where: { ...own(ctx), id: contractId } });
  if (!contract) throw notFound("contract");
  return [];
}

/** One more than a contract's page shows, so that the last one shown has a version to compare with. */
const fewVersions = 6;

export async function recentVersions(ctx: Context, contractId: string) {
  const versions = await listVersions(ctx, contractId, fewVersions);
  return { data: await withQueuePositions(versions), total: versions[0]?.versionNumber ?? 0 };
}

/** A version's document, for a caller that requested the bytes: the download is recorded. */
export async function downloadVersion(ctx: Context, input: { id: string; versionId: string }) {
  const version = await findVersion(ctx, { contractId: input.id, versionId: input.versionId });
  const { sha256, fileName, contentType } = version;
  return {
    sha256,
    fileName,
    contentType,
    disposition: "attachment" as const,
    onSend: () => recordDownload(ctx, version),
  };
}

/** Records in the log that a version's document was downloaded. */
export async function recordDownload(ctx: Context, { id, contractId }: VersionRow): Promise<void> {
  await change(ctx, async (tx, record) => {
    const contract = await tx.contract.findFirstOrThrow({
      where: { ...own(ctx), id: contractId },
      select: { id: true, title: true },
    });
    record({ action: "VERSION_DOWNLOADED", target: { type: "version", id }, contract });
  });
}
