/** What stands in each field of the signed document. */
import type { Context } from "#lib/core/context.ts";
import type { SealedField } from "#lib/documents/seal/seal-pages.ts";
import type { Mark } from "#lib/documents/stamp/stamp.ts";
import type { EnvelopeRow, FieldRow, SignerRow } from "#lib/signatures/rows.ts";
import { readStored } from "#lib/storage/store.ts";

export async function marksOf(ctx: Context, row: EnvelopeRow): Promise<SealedField[]> {
  const signers = new Map(row.signers.map((signer) => [signer.id, signer]));
  const images = await imagesOf(ctx, row.signers);
  return row.fields.flatMap((field) => {
    const mark = markIn(field, signers.get(field.signerId)!, images);
    if (!mark && !field.coversText) return [];
    const { signerId, pageIndex, xPct, yPct, wPct, hPct, coversText: covers } = field;
    return [{ signerId, pageIndex, xPct, yPct, wPct, hPct, covers, mark: mark ?? { text: "" } }];
  });
}

async function imagesOf(ctx: Context, signers: SignerRow[]): Promise<Map<string, string>> {
  const names = signers.flatMap(({ signatureSha256, initialsSha256 }) => [signatureSha256, initialsSha256]);
  const images = new Map<string, string>();
  for (const sha256 of new Set(names)) {
    if (sha256) images.set(sha256, (await readStored(ctx.organizationId, sha256)).toString("base64"));
  }
  return images;
}

function markIn(field: FieldRow, signer: SignerRow, images: Map<string, string>): Mark | null {
  if (field.type === "CHECKBOX") return { checked: field.value === "true" };
  if (!field.filled) return null;
  if (field.type === "SIGNATURE") return handwriting(signer.signatureText, signer.signatureSha256, images);
  if (field.type === "INITIALS") return handwriting(signer.initialsText, signer.initialsSha256, images);
  return field.value === null ? null : { text: field.value };
}

function handwriting(typed: string | null, sha256: string | null, images: Map<string, string>): Mark | null {
  if (typed !== null) return { typed };
  const png = sha256 === null ? undefined : images.get(sha256);
  return png === undefined ? null : { png };
}
