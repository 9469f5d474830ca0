/** The checks before sending: what must be put right, and what deserves a second look. */
import { reader } from "#lib/change.ts";
import { type Context, own } from "#lib/context.ts";
import { type ContractStatus, contractLifecycle } from "#lib/contracts/lifecycle.ts";
import type { Issue } from "#lib/errors.ts";
import { canMove } from "#lib/lifecycle.ts";
import { type EnvelopeRow, findRow } from "../rows.ts";
import { leftovers } from "./leftovers.ts";
import type { Findings } from "./schema.ts";
import { type SigningCopy, signingCopyOf } from "./signing-copy.ts";

/** What the checks look at in the version that is to be sent. */
export interface Document {
  sha256: string;
  pdfState: string;
  pdfSha256: string | null;
  pageCount: number | null;
  pages: { pageIndex: number; text: string }[];
}

export async function documentOf(ctx: Context, row: EnvelopeRow): Promise<Document> {
  const where = { organizationId_id: { ...own(ctx), id: row.documentVersionId } };
  return reader().documentVersion.findUniqueOrThrow({
    where,
    select: {
      ...{ sha256: true, pdfState: true, pdfSha256: true, pageCount: true },
      pages: { orderBy: { pageIndex: "asc" }, select: { pageIndex: true, text: true } },
    },
  });
}

/** Checks a draft. */
export async function checkDraft(ctx: Context, envelopeId: string): Promise<Findings> {
  const row = await findRow(ctx, envelopeId);
  const document = await documentOf(ctx, row);
  const copy = document.pdfSha256 ? await signingCopyOf(ctx, document.pdfSha256) : null;
  return findings(row, document, copy, ctx.now);
}

export function findings(
  row: EnvelopeRow,
  document: Document,
  copy: SigningCopy | null,
  now: Date,
): Findings {
  const errors = [
    ...contractErrors(row),
    ...documentErrors(document, copy),
    ...signerErrors(row),
    ...fieldErrors(row, document),
  ];
  if (row.deadline && row.deadline <= now) errors.push({ path: "deadline", message: "lies in the past" });
  return { errors, warnings: [...copyWarnings(copy), ...textWarnings(row, document)] };
}

function contractErrors({ contract }: EnvelopeRow): Issue[] {
  const status = contract.status as ContractStatus;
  if (canMove(contractLifecycle, status, "OUT_FOR_SIGNATURE", "system")) return [];
  const message =
    status === "OUT_FOR_SIGNATURE"
      ? "is out for signature already: void that request first"
      : `is ${status} and cannot be sent for signature`;
  return [{ path: "contractId", message }];
}

function documentErrors({ pdfState }: Document, copy: SigningCopy | null): Issue[] {
  if (copy && "problem" in copy) return [{ path: "documentVersionId", message: copy.problem }];
  if (pdfState === "READY") return [];
  const message =
    pdfState === "PENDING"
      ? "has no PDF yet: it is being made, try again in a moment"
      : "could not be made into a PDF: upload another version";
  return [{ path: "documentVersionId", message }];
}

function signerErrors({ signers, fields }: EnvelopeRow): Issue[] {
  if (signers.length === 0) return [{ path: "signers", message: "must name at least one signer" }];
  const seen = new Map<string, string>();
  return signers.flatMap((signer, index) => {
    const issues: Issue[] = [];
    const same = seen.get(signer.email.toLowerCase());
    if (same)
      issues.push({ path: `signers.${index}.email`, message: `is also ${same}'s: each needs their own` });
    seen.set(signer.email.toLowerCase(), signer.name);
    const signs = fields.some(
      (field) => field.signerId === signer.id && field.type === "SIGNATURE" && field.required,
    );
    if (!signs) {
      issues.push({ path: `signers.${index}`, message: `${signer.name} has no required signature field` });
    }
    return issues;
  });
}

function fieldErrors({ fields }: EnvelopeRow, { pageCount }: Document): Issue[] {
  if (pageCount === null) return [];
  return fields.flatMap(({ pageIndex }, index) =>
    pageIndex < pageCount
      ? []
      : [
          {
            path: `fields.${index}.pageIndex`,
            message: `is page ${pageIndex + 1} of a document of ${pageCount}`,
          },
        ],
  );
}

/** What of the document is not signed with it. */
function copyWarnings(copy: SigningCopy | null): Issue[] {
  if (!copy || "problem" in copy) return [];
  return copy.notes.map((message) => ({ path: "documentVersionId", message }));
}

/** A tag of the document that a field stands on is what it should be; any other is left over. */
function textWarnings({ fields }: EnvelopeRow, { pages }: Document): Issue[] {
  return pages.flatMap(({ pageIndex, text }) => {
    const covered = fields.filter((field) => field.coversText && field.pageIndex === pageIndex).length;
    return leftovers(text, covered).map((found) => ({
      path: `pages.${pageIndex}`,
      message: `Page ${pageIndex + 1} still says “${found}”`,
    }));
  });
}
