/** The checks before sending: errors that prevent it, and warnings. */

import { type ContractStatus, contractLifecycle } from "#lib/contracts/lifecycle.ts";
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { type Issue, notFound } from "#lib/core/errors.ts";
import { canMove } from "#lib/core/lifecycle.ts";
import { missingApproval } from "#lib/required-approvals/expect.ts";
import { isPastDeadline } from "#lib/signatures/lifecycle.ts";
import { departedSigners } from "#lib/signatures/membership.ts";
import { type EnvelopeRow, findRow } from "#lib/signatures/rows.ts";
import { findBlanks, unfilled } from "./blanks.ts";
import { blanksIn, leftoverTags, quotedShort } from "./leftovers.ts";
import type { Findings } from "./schema.ts";
import { type SigningCopy, signingCopyOf } from "./signing-copy.ts";

/** What the checks read of the version to be sent. */
export interface Document {
  sha256: string;
  pdfState: string;
  pdfSha256: string | null;
  pageCount: number | null;
  textState: string;
  pages: { pageIndex: number; text: string }[];
}

export async function documentOf(ctx: Context, row: EnvelopeRow): Promise<Document> {
  const where = { organizationId_id: { ...own(ctx), id: row.documentVersionId } };
  const document = await reader().documentVersion.findUnique({
    where,
    select: {
      ...{ sha256: true, pdfState: true, pdfSha256: true, pageCount: true, textState: true },
      pages: { orderBy: { pageIndex: "asc" }, select: { pageIndex: true, text: true } },
    },
  });
  // The draft was deleted with its contract after it was read.
  if (!document) throw notFound("signature request");
  return document;
}

/** Checks a draft. */
export async function checkDraft(ctx: Context, envelopeId: string): Promise<Findings> {
  const row = await findRow(ctx, envelopeId);
  const document = await documentOf(ctx, row);
  const [copy, texts, missing, left] = await Promise.all([
    document.pdfSha256 ? signingCopyOf(ctx, document.pdfSha256) : null,
    textWarnings(ctx, row, document),
    missingApproval(ctx, row.contractId, row.documentVersionId),
    departedSigners(ctx, row.signers),
  ]);
  const approval = missing && {
    path: "contractId",
    message: `needs the approval of ${missing.who.join(", then of ")} first`,
  };
  return {
    errors: [...(approval ? [approval] : []), ...errorsOf({ row, document, copy, left }, ctx.now)],
    warnings: [...copyWarnings(copy), ...texts],
    isBeingRead: document.textState === "PENDING",
  };
}

export interface Sendable {
  row: EnvelopeRow;
  document: Document;
  copy: SigningCopy | null;
  /** The signers who were added as members and have left the workspace. */
  left: ReadonlySet<string>;
}

/** What must be fixed before the draft can be sent. */
export function errorsOf({ row, document, copy, left }: Sendable, now: Date): Issue[] {
  const errors = [
    ...contractErrors(row),
    ...documentErrors(document, copy),
    ...signerErrors(row, left),
    ...fieldErrors(row, document),
  ];
  if (isPastDeadline(row, now)) errors.push({ path: "deadline", message: "is in the past" });
  return errors;
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
      ? "has no PDF yet: it is being created, try again in a moment"
      : "could not be converted to a PDF: upload another version";
  return [{ path: "documentVersionId", message }];
}

function signerErrors({ signers, fields }: EnvelopeRow, left: ReadonlySet<string>): Issue[] {
  if (signers.length === 0) return [{ path: "signers", message: "must name at least one signer" }];
  const seen = new Map<string, string>();
  return signers.flatMap((signer, index) => {
    const issues: Issue[] = [];
    const same = seen.get(signer.email.toLowerCase());
    if (same)
      issues.push({
        path: `signers.${index}.email`,
        message: `is also ${same}'s: each signer needs their own`,
      });
    seen.set(signer.email.toLowerCase(), signer.name);
    if (left.has(signer.id)) {
      const message = `${signer.name} has left the workspace: add them again by e-mail address, or choose someone else`;
      issues.push({ path: `signers.${index}`, message });
    }
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
            message: `is on page ${pageIndex + 1}, and the document has ${pageCount}`,
          },
        ],
  );
}

/** Parts of the document that the signed copy leaves out. */
function copyWarnings(copy: SigningCopy | null): Issue[] {
  if (!copy || "problem" in copy) return [];
  return copy.notes.map((message) => ({ path: "documentVersionId", message }));
}

/** Warns of tags without a field on them, and of blanks that no field fills in. */
async function textWarnings(ctx: Context, row: EnvelopeRow, document: Document): Promise<Issue[]> {
  if (document.textState === "FAILED" && document.pdfState === "READY") {
    return [{ path: "documentVersionId", message: "cannot be read for blanks: look through it yourself" }];
  }
  const blanks = await openBlanks(ctx, row, document);
  return document.pages.flatMap(({ pageIndex, text }) => {
    const covered = row.fields.filter((field) => field.coversText && field.pageIndex === pageIndex).length;
    const left = [...leftoverTags(text, covered), ...(blanks.get(pageIndex) ?? [])].map(quotedShort);
    return [...new Set(left)].map((found) => ({
      path: `pages.${pageIndex}`,
      message: `Page ${pageIndex + 1} still says “${found}”`,
    }));
  });
}

/** The blanks of each page that no field fills in. Positions are looked up only if there are any blanks. */
async function openBlanks(
  ctx: Context,
  { fields }: EnvelopeRow,
  { pages, pdfSha256 }: Document,
): Promise<Map<number, string[]>> {
  const written = new Map(pages.map(({ pageIndex, text }) => [pageIndex, blanksIn(text)]));
  const hasAny = [...written.values()].some((blanks) => blanks.length > 0);
  if (!hasAny || fields.length === 0 || pdfSha256 === null) return written;
  const placed = await findBlanks(ctx, pdfSha256);
  // The positions are unknown: warn of every blank rather than miss one.
  if (!placed) return written;
  const open = Map.groupBy(unfilled(placed, fields), ({ pageIndex }) => pageIndex);
  return new Map([...open].map(([pageIndex, blanks]) => [pageIndex, blanks.map(({ text }) => text)]));
}
