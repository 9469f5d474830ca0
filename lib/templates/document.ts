/** A template's document, which may come from anyone: read and filled only in the sandboxed child process. */

import { inspectDocument } from "#lib/contracts/documents.ts";
import { docxType } from "#lib/contracts/schema.ts";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { turnOf } from "#lib/core/lanes.ts";
import type { FileField } from "#lib/core/operation.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { withStoredFile } from "#lib/storage/store.ts";
import type { fillTemplateFile } from "./fill.ts";
import type { inspectTemplateFile, TemplateTags } from "./inspect.ts";
import type { Data } from "./tagged.ts";

const filler = parser<typeof fillTemplateFile>("lib/templates/fill.ts", "fillTemplateFile", "requests");

const tagsParser = parser<typeof inspectTemplateFile>(
  "lib/templates/inspect.ts",
  "inspectTemplateFile",
  "requests",
);

/** Far below the limit of a contract's document: a whole template is held in memory while it is filled. */
export const templateLimitBytes = 10 * 1024 * 1024;

/** The file field with which operations accept a template: DOCX only. Its tags are read later. */
export const templateField: FileField = {
  name: "file",
  limitBytes: templateLimitBytes,
  lane: "requests",
  async inspect(file, turn) {
    const found = await inspectDocument(file, turn);
    if ("wrong" in found || found.contentType === docxType) return found;
    return { wrong: [{ name: "contentType", message: "must be a DOCX: a PDF has no tags to fill" }] };
  },
};

const limits = { timeoutMs: 10_000, memoryMb: 512, answerMb: 64 };

/** The tags of a stored DOCX. Throws with all problems in them, reported at `path`. */
export async function readTags(ctx: Context, sha256: string, path: string): Promise<TemplateTags> {
  const { found, problems } = await withStoredFile(ctx.organizationId, sha256, (file) =>
    runInChild(tagsParser, { path: file }, limits, turnOf(ctx)),
  ).catch(tooMuch(path));
  if (problems) throw invalid(...problems.map((message) => ({ path, message })));
  return found;
}

/** Fills a stored DOCX. */
export async function fillStored(ctx: Context, sha256: string, data: Data): Promise<Uint8Array> {
  const { base64 } = await withStoredFile(ctx.organizationId, sha256, (path) =>
    runInChild(filler, { path, data }, limits, turnOf(ctx)),
  ).catch(tooMuch("templateId"));
  return Buffer.from(base64, "base64");
}

function tooMuch(path: string) {
  return (error: unknown): never => {
    if (!(error instanceof ParserFailed)) throw error;
    throw invalid({ path, message: "names a document that is too complex to be filled: make it simpler" });
  };
}
