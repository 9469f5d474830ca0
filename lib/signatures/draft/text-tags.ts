/** Places fields on the document's own text tags. */
import { change, skipAudit } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { Anchor, findTextTags } from "#lib/documents/text/text-tags.ts";
import type { FieldType } from "#lib/signatures/lifecycle.ts";
import { type EnvelopeRow, findRow, lockRow, requireSender } from "#lib/signatures/rows.ts";
import { withStoredFile } from "#lib/storage/store.ts";
import { documentOf } from "./checks.ts";
import { maxFields } from "./schema.ts";

const tagsParser = parser<typeof findTextTags>("lib/documents/text/text-tags.ts", "findTextTags", "requests");

const types: Record<string, FieldType> = {
  signature: "SIGNATURE",
  initials: "INITIALS",
  name: "NAME",
  email: "EMAIL",
  title: "TITLE",
  company: "COMPANY",
  date: "DATE_SIGNED",
  text: "TEXT",
  checkbox: "CHECKBOX",
};

/**
 * Places a field on every tag that gives a signer's number, in signing order. Replaces fields from earlier runs;
 * fields placed by hand stay.
 */
export async function placeAnchors(
  ctx: Context,
  envelopeId: string,
): Promise<{ placed: number; unknown: string[] }> {
  requireSender(ctx);
  const anchors = await anchorsOf(ctx, await findRow(ctx, envelopeId));
  return change(ctx, async (tx) => {
    const row = await lockRow(tx, ctx, envelopeId);
    if (row.status !== "DRAFT") {
      throw new Refusal("invalid_transition", `This request is ${row.status}; only a draft can be changed.`);
    }
    const known = anchors.filter(({ signer }) => row.signers[signer - 1]);
    const byHand = row.fields.filter(({ coversText }) => !coversText).length;
    const placed = known.slice(0, maxFields - byHand);
    skipAudit();
    await tx.signatureField.deleteMany({ where: { ...own(ctx), envelopeId, coversText: true } });
    await tx.signatureField.createMany({
      data: placed.map(({ kind, signer, label, tag: _, ...place }) => ({
        ...own(ctx),
        ...{ id: newId("field"), envelopeId, signerId: row.signers[signer - 1]!.id },
        ...{ type: types[kind]!, label, required: kind !== "checkbox", coversText: true },
        ...place,
      })),
    });
    await tx.envelope.update({
      where: { organizationId_id: { ...own(ctx), id: row.id } },
      data: { updatedAt: ctx.now },
    });
    const unknown = anchors.filter((anchor) => !known.includes(anchor)).map(({ tag }) => tag);
    return { placed: placed.length, unknown: [...new Set(unknown)] };
  });
}

/** Reading 2,000 pages full of words takes about as long as reading their text. */
const limits = { timeoutMs: 20_000, memoryMb: 768 };

async function anchorsOf(ctx: Context, row: EnvelopeRow): Promise<Anchor[]> {
  const { pdfSha256 } = await documentOf(ctx, row);
  if (!pdfSha256) throw new Refusal("unsigned_pdf_not_ready", "The document's PDF is still being created.");
  try {
    return await withStoredFile(ctx.organizationId, pdfSha256, (path) =>
      runInChild(tagsParser, { path }, limits, turnOf(ctx)),
    );
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    throw new Refusal("conflict", "The document cannot be searched for tags. Place the fields by hand.");
  }
}
