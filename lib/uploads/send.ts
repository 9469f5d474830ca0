/**
 * Creates the contract of a file on the list. However often the file is sent, and from however many tabs, it creates
 * only one: the contract's own transaction updates the file's row.
 */
import { createContract } from "#lib/contracts/create.ts";
import { documentField, suitableName } from "#lib/contracts/documents.ts";
import { addVersion, findDuplicate } from "#lib/contracts/versions.ts";
import { change, reader, skipAudit } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { notFound } from "#lib/core/errors.ts";
import type { StoredUpload } from "#lib/core/operation.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";
import { findStored } from "#lib/storage/store.ts";
import { findUpload, mine } from "./list.ts";
import { contractOf } from "./read.ts";
import type { DuplicateUpload, SentUpload } from "./schema.ts";

/** Accepts the same documents as the first version of a contract, which it becomes. */
export const sentDocument = documentField;

/** Receives a file. If the workspace already has the document, the member is asked first (createDuplicate). */
export async function sendUpload(ctx: Context, { id, title, document }: SentUpload, file: StoredUpload) {
  const { state } = await findUpload(ctx, id);
  if (state === "CREATED") return { upload: await findUpload(ctx, id) };
  // A duplicate creates no contract, so it need not be read.
  const isKnown = await findDuplicate(reader(), ctx, file.sha256);
  const fields = isKnown ? null : await contractOf(ctx, title, file);
  await change(ctx, async (tx) => {
    if ((await lock(tx, ctx, id)) === "CREATED") return;
    await lockExistingFile(tx, ctx.organizationId, file.sha256);
    const same = await findDuplicate(tx, ctx, file.sha256);
    if (same || !fields) {
      skipAudit();
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

/** The file's name in the path that the member's browser sent. */
const nameIn = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Creates the contract of a document that another contract already has. */
export async function createDuplicate(ctx: Context, { id, title }: DuplicateUpload) {
  const { state, path, sha256, contentType, pageCount } = await findUpload(ctx, id);
  if (state === "CREATED") return { upload: await findUpload(ctx, id) };
  if (!sha256 || !contentType) throw notFound("document");
  // The size on the list is what the browser claimed, so use that of the stored file.
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

/** Locks the row until the commit, so that the second of two concurrent sends sees the contract of the first. */
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
