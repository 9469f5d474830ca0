/**
 * The job `versions.prepare` creates what a document version lacks: PDF, page count, text. It can be killed at any
 * point, retried, and run twice at once: only one run's result is stored.
 */
import { z } from "zod";
import { changeUnaudited, reader } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import type { missingLetters } from "#lib/documents/docx/missing-letters.ts";
import { RenderFailed, renderPdf } from "#lib/documents/render/render.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { inlineLimitBytes, warmPool } from "#lib/documents/sandbox/warm.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { readText } from "#lib/documents/text/text.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";
import { readStored, type Stored, store, withStoredFile } from "#lib/storage/store.ts";
import type { VersionRow } from "./versions.ts";

const lettersParser = parser<typeof missingLetters>(
  "lib/documents/docx/missing-letters.ts",
  "missingLetters",
  "background",
);

const textParser = parser<typeof readText>("lib/documents/text/text.ts", "readText", "background");

const stayingReader = {
  module: "lib/documents/text/text.ts",
  name: "readTextOfBytes",
  lane: "background",
} as const;

const Payload = z.object({ organizationId: z.string(), versionId: z.string() });

/**
 * The most attempts to render. A document that fails now will not render in three days: a member is told and
 * can retry.
 */
const maxRenderings = 3;

export async function prepareVersion(
  payload: unknown,
  attempt: { attempts: number; max_attempts: number },
): Promise<void> {
  const { organizationId, versionId } = Payload.parse(payload);
  const ctx = systemContext(organizationId, "versions.prepare");
  const version = await reader().documentVersion.findFirst({ where: { ...own(ctx), id: versionId } });
  if (!version || (version.pdfState === "READY" && version.textState === "READY")) return;
  try {
    await prepare(ctx, version);
  } catch (error) {
    const isFinal = error instanceof RenderFailed && (error.isLasting || attempt.attempts >= maxRenderings);
    if (!isFinal && attempt.attempts < attempt.max_attempts) throw error;
    await giveUp(ctx, version, error);
  }
}

async function prepare(ctx: Context, version: VersionRow): Promise<void> {
  const pdf = await pdfOf(ctx, version);
  const pages = await readPages(ctx, pdf);
  if (pages && pdf.sha256 !== version.sha256) await refuseLosses(ctx, version, pages);
  await changeUnaudited(ctx, async (tx) => {
    await lockExistingFile(tx, ctx.organizationId, pdf.sha256);
    const where = { ...own(ctx), id: version.id };
    const rendered = await tx.documentVersion.updateMany({
      where: { ...where, pdfState: { not: "READY" } },
      data: { pdfState: "READY", pdfSha256: pdf.sha256, pdfSizeBytes: pdf.sizeBytes, pdfError: null },
    });
    const now = await tx.documentVersion.findFirst({ where });
    // A member who uploaded it will look at it; for versions added by programs, the preview is drawn on first view.
    if (now?.uploadedById) await enqueuePreview(tx, now);
    // Another run was faster and stored its own PDF: the text must come from that one.
    if (!now || (rendered.count === 0 && now.pdfSha256 !== pdf.sha256)) return;
    const written = await tx.documentVersion.updateMany({
      where: { ...where, textState: { not: "READY" } },
      data: pages ? { textState: "READY", pageCount: pages.length } : { textState: "FAILED" },
    });
    if (written.count === 0 || !pages) return;
    await tx.documentPage.createMany({
      data: pages.map((text, pageIndex) => ({ ...own(ctx), versionId: version.id, pageIndex, text })),
    });
    await enqueueIndexing(tx, version);
    await enqueueProposing(tx, version);
  });
}

/** Enqueues `clauses.index` for a version whose text is ready. */
export async function enqueueIndexing(
  tx: Transaction,
  { organizationId, id }: Pick<VersionRow, "organizationId" | "id">,
): Promise<void> {
  await enqueue(
    tx,
    "clauses.index",
    { organizationId, versionId: id },
    { jobKey: `clauses.index ${id}`, share: organizationId },
  );
}

/** Enqueues `versions.propose`, which looks for dates and obligations in a version's text. */
export async function enqueueProposing(
  tx: Transaction,
  { organizationId, id }: Pick<VersionRow, "organizationId" | "id">,
): Promise<void> {
  await enqueue(
    tx,
    "versions.propose",
    { organizationId, versionId: id },
    { jobKey: `versions.propose ${id}`, share: organizationId, maxAttempts: 12 },
  );
}

/** Enqueues `versions.preview`, which draws the first page, unless it was enqueued before. */
export async function enqueuePreview(
  tx: Transaction,
  { organizationId, id }: Pick<VersionRow, "organizationId" | "id">,
): Promise<void> {
  const wanted = { data: [{ organizationId, versionId: id }], skipDuplicates: true };
  if ((await tx.versionPreview.createMany(wanted)).count === 0) return;
  await enqueue(
    tx,
    "versions.preview",
    { organizationId, versionId: id },
    { jobKey: `versions.preview ${id}`, share: organizationId, maxAttempts: 12 },
  );
}

/** Returns the PDF of a version, and renders it if there is none yet. */
async function pdfOf(ctx: Context, version: VersionRow): Promise<Stored> {
  const { pdfSha256, pdfSizeBytes, sha256 } = version;
  if (pdfSha256 && pdfSizeBytes !== null) return { sha256: pdfSha256, sizeBytes: pdfSizeBytes };
  const docx = await readStored(ctx.organizationId, sha256);
  return store(ctx.organizationId, await renderPdf(docx, turnOf(ctx)));
}

/** 2,000 pages full of words take 7 s and 430 MB. */
const limits = { timeoutMs: 20_000, memoryMb: 768, answerMb: 32 };

/** Returns the text of the pages, or null if it cannot be read; the PDF can still be signed. */
async function readPages(ctx: Context, { sha256, sizeBytes }: Stored): Promise<string[] | null> {
  const { organizationId } = ctx;
  try {
    if (sizeBytes <= inlineLimitBytes) {
      const children = warmPool<object, { pages: string[] }>(stayingReader, limits);
      return (await children.run({}, () => readStored(organizationId, sha256), turnOf(ctx))).pages;
    }
    return await withStoredFile(organizationId, sha256, async (path) => {
      return (await runInChild(textParser, { path }, limits, turnOf(ctx))).pages;
    });
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    log().warn({ organizationId, sha256, error: error.message }, "text could not be read");
    return null;
  }
}

/**
 * The share of letters that may be missing, because recalculated fields, numbers and symbols may differ. More
 * is a loss.
 */
const maxMissing = 0.2;

/** LibreOffice silently drops what it cannot read in a document: nobody must sign the result. */
async function refuseLosses(ctx: Context, { sha256 }: VersionRow, pages: string[]): Promise<void> {
  const missing = await missingFrom(pages, ctx, sha256);
  if (missing <= maxMissing) return;
  const isEmpty = pages.every((page) => page === "");
  const what = isEmpty ? "is empty" : `lacks ${Math.floor(missing * 100)} percent of the document's letters`;
  const message = `The PDF ${what}: the document may be damaged, or no font for its script is installed. Upload a PDF of it.`;
  throw new RenderFailed(message, { isLasting: true });
}

/** Returns the share of letters missing, or 0 if they cannot be read: then their loss cannot be detected. */
async function missingFrom(pages: string[], ctx: Context, sha256: string): Promise<number> {
  const { organizationId } = ctx;
  try {
    return await withStoredFile(organizationId, sha256, (path) =>
      runInChild(lettersParser, { path, pages }, limits, turnOf(ctx)),
    );
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    log().warn({ organizationId, sha256, error: error.message }, "letters could not be counted");
    return 0;
  }
}

async function giveUp(ctx: Context, version: VersionRow, error: unknown): Promise<void> {
  const reason = error instanceof RenderFailed ? error.message : "Something went wrong on this server.";
  const { organizationId } = ctx;
  const detail = error instanceof Error ? error.stack : String(error);
  log().warn(
    { organizationId, versionId: version.id, error: detail },
    "a document version could not be prepared",
  );
  await changeUnaudited(ctx, async (tx) => {
    const where = { ...own(ctx), id: version.id };
    await tx.documentVersion.updateMany({
      where: { ...where, pdfState: { not: "READY" } },
      data: { pdfState: "FAILED", pdfError: reason.slice(0, 500).toWellFormed() },
    });
    await tx.documentVersion.updateMany({
      where: { ...where, textState: { not: "READY" } },
      data: { textState: "FAILED" },
    });
  });
}
