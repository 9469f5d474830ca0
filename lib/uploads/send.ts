/**
 * A file of the list becomes a contract. However often it is sent, and from however many tabs, it becomes one: its row
 * says so in the contract's own transaction.
 */
import { createContract } from "#lib/contracts/create.ts";
import { documentField, suitableName } from "#lib/contracts/documents.ts";
import { addVersion, findSame } from "#lib/contracts/versions.ts";
import { change, reader, withoutAudit } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { notFound } from "#lib/core/errors.ts";
import type { StoredUpload } from "#lib/core/operation.ts";
import { hold } from "#lib/storage/hold.ts";
import { findStored } from "#lib/storage/store.ts";
import { findUpload, mine } from "./list.ts";
import { contractOf } from "./read.ts";
import type { DuplicateUpload, SentUpload } from "./schema.ts";

/** Taken as the first version of a contract is, which it becomes. */
export const sentDocument = documentField;

/** A document that the workspace has already becomes no contract: the member is asked (createDuplicate). */
export async function sendUpload(ctx: Context, { id, title, document }: SentUpload, file: StoredUpload) {
  const { state } = await findUpload(ctx, id);
  if (state === "CREATED") return { upload: await findUpload(ctx, id) };
  // What no contract is made of need not be read.
  const isKnown = await findSame(reader(), ctx, file.sha256);
  const fields = isKnown ? null : await contractOf(ctx, title, file);
  await change(ctx, async (tx) => {
    if ((await lock(tx, ctx, id)) === "CREATED") return;
    await hold(tx, ctx.organizationId, file.sha256);
    const same = await findSame(tx, ctx, file.sha256);
    if (same || !fields) {
      withoutAudit();
      const { sha256, contentType, pageCount } = file;
      const data = {
        state: "DUPLICATE",
        contractId: same?.contractId ?? null,
        sha256,
        contentType,
        pageCount,
      };
      await update(tx, ctx, id, data);
      return;
    }
    await create(tx, ctx, { id, fields, fileName: document.fileName, file });
  });
  return { upload: await findUpload(ctx, id) };
}

/** As its member said it. */
const nameIn = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Creates the contract of a document that another contract has as well. */
export async function createDuplicate(ctx: Context, { id, title }: DuplicateUpload) {
  const { state, path, sha256, contentType, pageCount } = await findUpload(ctx, id);
  if (state === "CREATED") return { upload: await findUpload(ctx, id) };
  if (!sha256 || !contentType) throw notFound("document");
  // The list has what its member said of the file.
  const { sizeBytes } = await findStored(ctx.organizationId, sha256);
  const file = { sha256, sizeBytes, contentType, pageCount };
  const fields = await contractOf(ctx, title, file);
  await change(ctx, async (tx) => {
    const now = await lock(tx, ctx, id);
    if (now === "CREATED") return;
    if (now !== "DUPLICATE") throw notFound("document");
    await create(tx, ctx, { id, fields, fileName: suitableName(nameIn(path), contentType), file });
  });
  return { upload: await findUpload(ctx, id) };
}

/** The row stays locked until the commit: of two that send the same file, the second finds what the first made. */
async function lock(tx: Transaction, ctx: Context, id: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ state: string }[]>`
    SELECT state FROM uploads
    WHERE organization_id = ${ctx.organizationId} AND user_id = ${ctx.actor.id} AND id = ${id} FOR UPDATE`;
  if (!row) throw notFound("upload");
  return row.state;
}

interface Creation {
  id: string;
  fields: Awaited<ReturnType<typeof contractOf>>;
  fileName: string;
  file: StoredUpload;
}

async function create(tx: Transaction, ctx: Context, { id, fields, fileName, file }: Creation) {
  const contract = await createContract(ctx, fields);
  const { sha256, sizeBytes, contentType, pageCount } = file;
  const stored = { sha256, sizeBytes, contentType, pageCount };
  await addVersion(ctx, { contractId: contract.id, source: "UPLOADED", fileName, ...stored });
  const none = { sha256: null, contentType: null, pageCount: null };
  await update(tx, ctx, id, { state: "CREATED", contractId: contract.id, ...none });
}

async function update(tx: Transaction, ctx: Context, id: string, data: object): Promise<void> {
  await tx.upload.updateMany({ where: { ...mine(ctx), id }, data });
}
