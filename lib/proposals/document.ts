/** Reads title, type, parties and dates from a document that has no contract yet, for the form of a new one. */
import { documentField } from "#lib/contracts/documents.ts";
import { contractTypes } from "#lib/contracts/lifecycle.ts";
import { pdfType } from "#lib/contracts/schema.ts";
import type { Context } from "#lib/core/context.ts";
import { serverBusy, turnOf } from "#lib/core/lanes.ts";
import type { StoredUpload } from "#lib/core/operation.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { warmPool } from "#lib/documents/sandbox/warm.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { monthsOf } from "#lib/documents/terms/durations.ts";
import type { Finding } from "#lib/documents/terms/terms.ts";
import { readStored, withStoredFile } from "#lib/storage/store.ts";
import { termMonthsOf } from "./from-findings.ts";
import type { DocumentProposals } from "./schema.ts";
import type { readTermsOfPdf } from "./terms-of-pdf.ts";

const pdfParser = parser<typeof readTermsOfPdf>(
  "lib/proposals/terms-of-pdf.ts",
  "readTermsOfPdf",
  "requests",
);

/** Accepts the same documents as the first version of a contract, which it may become. */
export const documentInput = documentField;

/** Someone is waiting with a form that they can fill in themselves, so reading must not take longer than this. */
const limits = { timeoutMs: 6_000, memoryMb: 768 };

const noProposals: DocumentProposals = {
  ...{ title: null, type: null, parties: [], effectiveDate: null, termMonths: null, renewal: null },
};

export async function proposalsOfDocument(ctx: Context, file?: StoredUpload): Promise<DocumentProposals> {
  if (file?.contentType !== pdfType) return noProposals;
  return proposalsOrNone(() =>
    withStoredFile(ctx.organizationId, file.sha256, (path) =>
      runInChild(pdfParser, { path }, limits, turnOf(ctx)),
    ),
  );
}

const stayingReader = {
  module: "lib/proposals/terms-of-pdf.ts",
  name: "readTermsOfBytes",
  lane: "requests",
} as const;

/** The same for one of many documents, in a process that is kept for the next one: starting it takes longest. */
export async function proposalsOfOneOfMany(ctx: Context, file: StoredUpload): Promise<DocumentProposals> {
  if (file.contentType !== pdfType) return noProposals;
  return proposalsOrNone(async () => {
    const bytes = () => readStored(ctx.organizationId, file.sha256);
    return warmPool<object, Findings>(stayingReader, limits).run({}, bytes, turnOf(ctx));
  });
}

/** Proposes nothing if the text cannot be read, which is no error: the form can be filled in without it. */
async function proposalsOrNone(read: () => Promise<Findings>): Promise<DocumentProposals> {
  try {
    return proposalsFrom(await read());
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    if (error.reason === "stalled") throw serverBusy();
    return noProposals;
  }
}

type Findings = Awaited<ReturnType<typeof readTermsOfPdf>>;

function proposalsFrom({ title, parties, effectiveDate, term, renewal }: Findings): DocumentProposals {
  const months = term && termMonthsOf(term, effectiveDate?.date ?? null);
  const type = contractTypes.find((one) => one === title?.type && one !== "OTHER");
  const renewalMonths = renewal?.isAutomatic ? monthsOf(renewal.length) : null;
  return {
    title: title && { value: title.name.slice(0, 200).toWellFormed(), ...quoted(title) },
    type: title && type ? { value: type, ...quoted(title) } : null,
    parties: parties.map((one) => ({ value: one.name.slice(0, 200).toWellFormed(), ...quoted(one) })),
    effectiveDate: effectiveDate && { value: effectiveDate.date, ...quoted(effectiveDate) },
    termMonths: term && months !== null ? { value: months, ...quoted(term) } : null,
    renewal: renewal && renewalMonths ? { months: renewalMonths, ...quoted(renewal) } : null,
  };
}

const quoted = ({ quote }: Finding) => ({ quote: quote.text, page: quote.pageIndex + 1 });
