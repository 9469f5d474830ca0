/**
 * The list of files that a member uploads together. It contains each file's name before the file arrives, so a member
 * who closed the page can see what is missing. The list is the member's own; the contracts are the workspace's.
 */
import { reader } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { maxUploads, type NewUploads, type Upload } from "./schema.ts";

export const mine = (ctx: Context) => ({ ...own(ctx), userId: ctx.actor.id });

const withContract = { contract: { select: { id: true, title: true } } } as const;

export type UploadRow = Prisma.UploadGetPayload<{ include: typeof withContract }>;

const uploadFrom = ({ state, ...row }: UploadRow) => ({ ...row, state: state as Upload["state"] });

export async function listUploads(ctx: Context) {
  const rows = await reader().upload.findMany({
    where: mine(ctx),
    include: withContract,
    orderBy: { id: "asc" },
  });
  return { data: rows.map(uploadFrom) };
}

export async function countUploads(ctx: Context) {
  const states = await reader().upload.groupBy({ by: ["state"], where: mine(ctx), _count: true });
  const count = (state: Upload["state"]) => states.find((one) => one.state === state)?._count ?? 0;
  const total = states.reduce((sum, { _count }) => sum + _count, 0);
  return { total, missing: count("MISSING"), duplicates: count("DUPLICATE") };
}

export async function findUpload(ctx: Context, id: string) {
  const row = await reader().upload.findFirst({ where: { ...mine(ctx), id }, include: withContract });
  if (!row) throw notFound("upload");
  return uploadFrom(row);
}

type Named = NewUploads["files"][number];

/**
 * Adds names to the list and returns a file for each, in order. Does not add files that are already on the list, so a
 * member can choose a folder again until nothing is missing. A file whose contract was deleted is added again.
 */
export async function addUploads(ctx: Context, { files }: NewUploads) {
  return atomicHousekeeping(async (tx) => {
    await lockList(tx, ctx);
    const rows = await tx.upload.findMany({
      where: mine(ctx),
      include: withContract,
      orderBy: { id: "asc" },
    });
    const known = new Known(rows.filter((row) => !isDeleted(row)));
    const found = files.map((file) => known.take(file));
    const added = files.filter((_, index) => !found[index]).map((file) => rowOf(ctx, file));
    if (rows.length + added.length > maxUploads) throw tooMany();
    await tx.upload.createMany({ data: added });
    const fresh = added.map((row) => ({ ...row, ...unsent }));
    return { data: found.map((row) => uploadFrom(row ?? fresh.shift()!)) };
  });
}

/** Locks the list until the commit, so that two tabs add one after the other. */
async function lockList(tx: Transaction, ctx: Context): Promise<void> {
  const name = `uploads ${ctx.organizationId} ${ctx.actor.id}`;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`;
}

const isDeleted = ({ state, contractId }: UploadRow) => state === "CREATED" && contractId === null;

const unsent = { contractId: null, contract: null, sha256: null, contentType: null, pageCount: null };

const rowOf = (ctx: Context, { path, sizeBytes }: Named) => ({
  ...mine(ctx),
  ...{ id: newId("upload"), path, sizeBytes, state: "MISSING", createdAt: ctx.now },
});

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The rows of the list. Finds each row for one file: by its path, or for a missing file also by its name. */
class Known {
  readonly #rows = new Map<string, UploadRow[]>();
  readonly #taken = new Set<UploadRow>();

  constructor(rows: UploadRow[]) {
    for (const row of rows) {
      this.#note(`path ${row.sizeBytes} ${row.path}`, row);
      // Someone who chose a folder before may now choose its files.
      if (row.state === "MISSING") this.#note(`name ${row.sizeBytes} ${baseName(row.path)}`, row);
    }
  }

  #note(key: string, row: UploadRow): void {
    const rows = this.#rows.get(key);
    if (rows) rows.push(row);
    else this.#rows.set(key, [row]);
  }

  take({ path, sizeBytes }: Named): UploadRow | undefined {
    const row = this.#next(`path ${sizeBytes} ${path}`) ?? this.#next(`name ${sizeBytes} ${baseName(path)}`);
    if (row) this.#taken.add(row);
    return row;
  }

  #next(key: string): UploadRow | undefined {
    const rows = this.#rows.get(key) ?? [];
    while (rows[0] && this.#taken.has(rows[0])) rows.shift();
    return rows.shift();
  }
}

const tooMany = () =>
  new Refusal(
    "conflict",
    `A list can have ${maxUploads.toLocaleString("en-US")} files at most. Clear yours, then add the others.`,
  );

/** Skips files that have no contract yet. */
export async function skipUploads(ctx: Context, { ids }: { ids: string[] }): Promise<void> {
  await housekeeping((store) =>
    store.upload.updateMany({
      where: { ...mine(ctx), id: { in: ids }, state: { in: ["MISSING", "DUPLICATE"] } },
      data: { state: "SKIPPED", sha256: null, contentType: null, pageCount: null },
    }),
  );
}

/** Deletes the list. Contracts that were created stay. */
export async function clearUploads(ctx: Context): Promise<void> {
  await housekeeping((store) => store.upload.deleteMany({ where: mine(ctx) }));
}

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Deletes files that were added to a list more than 30 days ago. */
export async function forgetOldUploads(): Promise<void> {
  const before = new Date(clock().getTime() - keptMs);
  await housekeeping((store) => store.upload.deleteMany({ where: { createdAt: { lt: before } } }));
}
