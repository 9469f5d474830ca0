/** A member's import of contracts: its file, the mapping of its columns, and its progress. One at a time per member. */
import { reader, select } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { invalid, notFound, Refusal } from "#lib/core/errors.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import type { StoredUpload } from "#lib/core/operation.ts";
import { columnOfKey, keyIn } from "#lib/custom-fields/catalogue.ts";
import { customFieldsOf } from "#lib/custom-fields/custom-fields.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";
import { withStoredFile } from "#lib/storage/store.ts";
import { removeUnreferenced } from "#lib/storage/sweep.ts";
import { guessMapping, readHead } from "./head.ts";
import type { ColumnHead, ContractImport, ImportReport, Mapping, NewImport } from "./schema.ts";

export type ImportRow = Prisma.ContractImportGetPayload<object>;

const ownImport = (ctx: Context) => ({ ...own(ctx), userId: ctx.actor.id });

async function importFrom(ctx: Context, row: ImportRow): Promise<ContractImport> {
  const columns = row.columns as ColumnHead[];
  return {
    ...{ id: row.id, fileName: row.fileName, rowsDone: row.rowsDone, columns },
    state: row.state as ContractImport["state"],
    mapping: (row.mapping as Mapping | null) ?? guessMapping(columns, await customFieldsOf(ctx)),
    report: row.report as ImportReport | null,
    createdAt: row.createdAt.toISOString(),
  };
}

export async function readImport(ctx: Context) {
  const row = await reader().contractImport.findFirst({ where: ownImport(ctx) });
  return { import: row && (await importFrom(ctx, row)) };
}

/** Starts an import from a file. It replaces one started with another file. */
export async function createImport(ctx: Context, { csv }: NewImport, { sha256 }: StoredUpload) {
  const head = await withStoredFile(ctx.organizationId, sha256, readHead);
  if ("wrong" in head) throw invalid({ path: "csv.contentBase64", message: head.wrong });
  const before = await atomicHousekeeping(async (tx) => {
    await lockMine(tx, ctx);
    await lockExistingFile(tx, ctx.organizationId, sha256);
    const old = await remove(tx, ctx);
    await tx.contractImport.create({
      data: {
        ...ownImport(ctx),
        ...{ id: newId("contractImport"), fileName: csv.fileName, sha256, columns: head.columns },
        ...{ state: "MAPPING", createdAt: ctx.now },
      },
    });
    return old;
  });
  if (before !== sha256) await removeFile(ctx, before);
  return readImport(ctx);
}

/** Starts a check of the whole file with this mapping. It reports what would be created, or what is wrong. */
export async function checkImport(ctx: Context, mapping: Mapping) {
  const known = new Set<string>((await customFieldsOf(ctx)).map(({ key }) => columnOfKey(key)));
  const unknown = mapping.fields.flatMap((field, index) =>
    field !== null && keyIn(field) !== undefined && !known.has(field)
      ? [{ path: `fields.${index}`, message: "is not a custom field of this workspace" }]
      : [],
  );
  if (unknown.length > 0) throw invalid(...unknown);
  await transition(ctx, ["MAPPING", "CHECKED", "FAILED"], (row) => {
    const { length } = row.columns as ColumnHead[];
    if (mapping.fields.length !== length) {
      throw invalid({ path: "fields", message: `must name ${length} columns` });
    }
    return { mapping, state: "CHECKING" };
  });
  return readImport(ctx);
}

/** Starts the import of a checked file. It creates all contracts or none. */
export async function startImport(ctx: Context) {
  await transition(ctx, ["CHECKED"], (row) => {
    if ((row.report as ImportReport | null)?.errorCount !== 0) throw notChecked();
    const { requestId, ip, userAgent } = ctx;
    return { state: "IMPORTING", origin: { requestId, ip, userAgent } };
  }).catch((error) => {
    if ((error as { code?: string }).code === "P2002") throw alreadyRunning();
    throw error;
  });
  return readImport(ctx);
}

/** Moves the import from one of these states to the next, and enqueues its job. */
async function transition(
  ctx: Context,
  from: ContractImport["state"][],
  next: (row: ImportRow) => Prisma.ContractImportUpdateInput,
): Promise<void> {
  await atomicHousekeeping(async (tx) => {
    await lockMine(tx, ctx);
    const row = await tx.contractImport.findFirst({ where: ownImport(ctx) });
    if (!row) throw notFound("import");
    if (!(from as string[]).includes(row.state))
      throw row.state === "IMPORTING" ? alreadyRunning() : notChecked();
    const { organizationId, id } = row;
    await tx.contractImport.update({
      where: { organizationId_id: { organizationId, id } },
      data: { ...next(row), rowsDone: 0 },
    });
    const payload = { organizationId, importId: id };
    const jobKey = `imports.run ${id}`;
    await enqueue(tx, "imports.run", payload, { jobKey, share: organizationId, maxAttempts: 3 });
  });
}

/** Discards the import and deletes its file. Throws if its contracts are being created, which continues. */
export async function discardImport(ctx: Context): Promise<void> {
  const sha256 = await atomicHousekeeping(async (tx) => {
    await lockMine(tx, ctx);
    return remove(tx, ctx);
  });
  await removeFile(ctx, sha256);
}

async function lockMine(tx: Transaction, ctx: Context): Promise<void> {
  const name = `import ${ctx.organizationId} ${ctx.actor.id}`;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`;
}

/** Deletes the row and returns the hash of its file, if any. */
async function remove(tx: Transaction, ctx: Context): Promise<string | null> {
  const row = await tx.contractImport.findFirst({ where: ownImport(ctx) });
  if (!row) return null;
  const { count } = await tx.contractImport.deleteMany({
    where: { ...ownImport(ctx), state: { not: "IMPORTING" } },
  });
  if (count === 0) throw alreadyRunning();
  return row.sha256;
}

async function removeFile(
  { organizationId }: { organizationId: string },
  sha256: string | null,
): Promise<void> {
  if (sha256) await removeUnreferenced({ organizationId, sha256 });
}

const alreadyRunning = () =>
  new Refusal("conflict", "An import of this workspace is under way. Wait until it has finished.");

const notChecked = () => new Refusal("conflict", "Check the file first, and correct what is wrong in it.");

const retentionMs = 24 * 60 * 60 * 1000;

/** Deletes imports, finished or not, after a day; those that are being checked or imported get another day. */
export async function forgetOldImports(): Promise<void> {
  const before = new Date(clock().getTime() - retentionMs);
  const rows = await select<{ organizationId: string; id: string; sha256: string | null }>(
    `SELECT organization_id AS "organizationId", id, sha256 FROM contract_imports
     WHERE created_at < $1::timestamptz
       AND (state NOT IN ('CHECKING', 'IMPORTING') OR created_at < $1::timestamptz - interval '1 day')`,
    [before.toISOString()],
  );
  for (const { organizationId, id, sha256 } of rows) {
    await housekeeping((store) => store.contractImport.deleteMany({ where: { organizationId, id } }));
    await removeFile({ organizationId }, sha256);
  }
}
