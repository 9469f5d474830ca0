/**
 * Documents uploaded to contracts: detects their type from their bytes, and checks it against what the request says.
 */
import { readFile, stat } from "node:fs/promises";
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { serverBusy, type Turn } from "#lib/core/lanes.ts";
import type { FileField, StoredUpload } from "#lib/core/operation.ts";
import type { InspectionResult, inspectFile } from "#lib/documents/inspect/inspect.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { inlineLimitBytes, WarmChildren, warmPool } from "#lib/documents/sandbox/warm.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { createContract } from "./create.ts";
import type { ContractRow } from "./rows.ts";
import { DocumentIn, docxType, type NewContract, type NewVersion, pdfType } from "./schema.ts";
import { addVersion, type VersionRow } from "./versions.ts";

const inspectParser = parser<typeof inspectFile>(
  "lib/documents/inspect/inspect.ts",
  "inspectFile",
  "requests",
);

/** A document of 50 MB with 2,000 pages takes a second; anything that takes much longer is rejected. */
const limits = { timeoutMs: 2500, memoryMb: 512 };

interface UploadedFile {
  path: string;
  fileName: string;
  contentType: string;
}

type Wrong = { name: "fileName" | "contentType" | "contentBase64"; message: string };

/** The parser for long-lived processes: starting one takes ten times as long as reading a contract. */
const staying = {
  module: "lib/documents/inspect/inspect.ts",
  name: "inspectBytes",
  lane: "requests",
} as const;

/** Detects a file's type, or returns what is wrong with it. */
export async function inspectDocument({ path, ...said }: UploadedFile, turn: Turn) {
  return judge(said, async () => {
    if ((await stat(path)).size > inlineLimitBytes) return runInChild(inspectParser, { path }, limits, turn);
    const children = warmPool<object, InspectionResult>(staying, limits);
    return children.run({}, () => readFile(path), turn);
  });
}

/** The same for many files of one workspace, one after another, in dedicated processes. */
export function openInspector() {
  const children = new WarmChildren<object, InspectionResult>(staying, limits);
  return {
    inspect: ({ bytes, ...said }: Omit<UploadedFile, "path"> & { bytes: Uint8Array }, turn: Turn) =>
      judge(said, () => children.run({}, bytes, turn)),
    close: () => children.close(),
  };
}

async function judge(
  { fileName, contentType }: Omit<UploadedFile, "path">,
  run: () => Promise<InspectionResult>,
): Promise<{ contentType: string; pageCount: number | null } | { wrong: Wrong[] }> {
  const found = await inspect(run);
  if ("wrong" in found) {
    const name = found.wrong === "type" ? "contentType" : "contentBase64";
    return { wrong: [{ name, message: found.message }] };
  }
  const wrong = [...claimedType(contentType, found.contentType), ...claimedName(fileName, found.contentType)];
  return wrong.length > 0 ? { wrong } : { contentType: found.contentType, pageCount: found.pageCount };
}

async function inspect(run: () => Promise<InspectionResult>): Promise<InspectionResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    if (error.reason === "stalled") throw serverBusy();
    return { wrong: "content", message: exceeded[error.reason] };
  }
}

const exceeded: Record<Exclude<ParserFailed["reason"], "stalled">, string> = {
  time: "takes too long to read: it may be damaged or malicious",
  memory: "grows too large when it is read: it may be damaged or malicious",
  crash: "is broken: it cannot be read",
};

const kinds: Record<string, { name: string; extension: string }> = {
  [pdfType]: { name: "a PDF", extension: ".pdf" },
  [docxType]: { name: "a DOCX", extension: ".docx" },
};

/** Programs that do not know the type send octet-stream, which claims nothing. */
function claimedType(said: string, is: string): Wrong[] {
  const type = said.split(";", 1)[0]!.trim().toLowerCase();
  if (type === is || type === "application/octet-stream" || type === "") return [];
  return [{ name: "contentType", message: `must be ${is}, since the file is ${kinds[is]?.name}` }];
}

/** A name without an extension claims nothing either. */
function claimedName(said: string, is: string): Wrong[] {
  const extension = /\.[a-z][a-z0-9]{0,9}$/i.exec(said.trim())?.[0].toLowerCase();
  if (!extension || extension === kinds[is]?.extension) return [];
  return [
    {
      name: "fileName",
      message: `must end in ${kinds[is]?.extension}, since the file is ${kinds[is]?.name}`,
    },
  ];
}

/** Returns a name that was not validated on arrival, or a generic one if it does not suit such a document. */
export function suitableName(said: string, contentType: string): string {
  const isName = DocumentIn.shape.fileName.safeParse(said).success;
  if (isName && claimedName(said, contentType).length === 0) return said.trim();
  return `document${kinds[contentType]?.extension}`;
}

/** The file field with which operations accept a document. */
export const documentField: FileField = {
  name: "document",
  limitBytes: 50 * 1024 * 1024,
  lane: "requests",
  inspect: inspectDocument,
};

/** Adds the uploaded document to a contract as its next version. */
export async function uploadVersion(ctx: Context, { id, document }: NewVersion, file: StoredUpload) {
  const { fileName } = document;
  return addVersion(ctx, { contractId: id, source: "UPLOADED", fileName, ...file });
}

/** Creates a contract, and its first version if a document was uploaded: both or neither. */
export async function createWithDocument(
  ctx: Context,
  { document, allowDuplicate = false, ...fields }: NewContract,
  file?: StoredUpload,
): Promise<{ contract: ContractRow; version: VersionRow | null }> {
  if (!document || !file) return { contract: await createContract(ctx, fields), version: null };
  const { fileName } = document;
  return change(ctx, async () => {
    const contract = await createContract(ctx, fields);
    const version = await addVersion(ctx, {
      contractId: contract.id,
      source: "UPLOADED",
      fileName,
      ...file,
      isNewToWorkspace: !allowDuplicate,
    });
    return { contract, version };
  });
}
