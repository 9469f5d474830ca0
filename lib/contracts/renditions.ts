/** What members see of a document version: the progress of its PDF and text, links to view it, comparisons. */
import { changeUnaudited } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { signedUrl } from "#lib/storage/signed.ts";
import type { compare } from "./comparison.ts";
import { pdfType } from "./schema.ts";
import { allPagesOf } from "./text.ts";
import {
  enqueuePreparation,
  findVersion,
  recordDownload,
  type VersionRow,
  withQueuePositions,
} from "./versions.ts";

const comparer = parser<typeof compare>("lib/contracts/comparison.ts", "compare", "comparisons");

interface InContract {
  contractId: string;
  versionId: string;
}

/** Returns a short-lived link to a version's original file or its PDF. */
export async function viewVersion(ctx: Context, input: InContract & { as: "original" | "pdf" }) {
  const version = await findVersion(ctx, input);
  if (input.as === "pdf") return viewPdf(ctx, version);
  const { sha256, fileName, contentType } = version;
  await recordDownload(ctx, version);
  return { ...signedUrl(ctx, { sha256, fileName, contentType, disposition: "attachment" }), sha256 };
}

async function viewPdf(ctx: Context, version: VersionRow) {
  const { pdfState, pdfSha256, pdfError, fileName } = version;
  if (!pdfSha256) {
    const why =
      pdfState === "FAILED"
        ? `The PDF could not be created. ${pdfError ?? ""} Try again, or upload a PDF.`
        : await whyNotYet(version);
    throw new Refusal("unsigned_pdf_not_ready", why);
  }
  const shown = { sha256: pdfSha256, contentType: pdfType, disposition: "inline" as const };
  const name = `${fileName.replace(/\.(docx|pdf)$/i, "")}.pdf`;
  return { ...signedUrl(ctx, { ...shown, fileName: name }), sha256: pdfSha256 };
}

/** Returns when to expect the PDF, because programs have no other indication. */
async function whyNotYet(version: VersionRow): Promise<string> {
  const [{ documentsAhead } = { documentsAhead: null }] = await withQueuePositions([version]);
  if (!documentsAhead) return "The PDF is still being created. Try again in a moment.";
  const before = documentsAhead === 1 ? "1 document is" : `${documentsAhead} documents are`;
  return `The PDF is still being created: ${before} ahead of it. Try again later.`;
}

/** Retries what could not be created for a version. */
export async function retryVersion(ctx: Context, input: InContract): Promise<VersionRow> {
  const version = await findVersion(ctx, input);
  return changeUnaudited(ctx, async (tx) => {
    const where = { ...own(ctx), id: version.id };
    const pdf = await tx.documentVersion.updateMany({
      where: { ...where, pdfState: "FAILED" },
      data: { pdfState: "PENDING", pdfError: null },
    });
    const text = await tx.documentVersion.updateMany({
      where: { ...where, textState: "FAILED" },
      data: { textState: "PENDING" },
    });
    if (pdf.count + text.count === 0) {
      throw new Refusal("conflict", "Only a version whose PDF or text failed can be retried.");
    }
    await enqueuePreparation(tx, version);
    return tx.documentVersion.findFirstOrThrow({ where });
  });
}

/** 200 pages with little in common take some seconds. */
const limits = { timeoutMs: 30_000, memoryMb: 1_500, answerMb: 32 };

/** Compares two versions of a contract. */
export async function compareVersions(ctx: Context, input: { contractId: string; from: string; to: string }) {
  const { contractId } = input;
  const from = await findVersion(ctx, { contractId, versionId: input.from });
  const to = await findVersion(ctx, { contractId, versionId: input.to });
  const [a, b] = [await allPagesOf(ctx, from), await allPagesOf(ctx, to)];
  try {
    return await runInChild(comparer, { a, b }, limits, turnOf(ctx));
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    throw new Refusal("unavailable", "Comparing these two versions takes too long. Compare them by hand.");
  }
}
