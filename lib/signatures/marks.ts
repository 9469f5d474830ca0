/** What each field shows in the sealed document, and the key under which a page requests its picture beforehand. */
import { hash } from "node:crypto";
import type { FieldRow, SignerRow } from "./rows.ts";

/** An adopted signature: typed, or an image by its sha256. */
export type Handwritten = { typed: string } | { image: string };

export type FieldContent = Handwritten | { text: string } | { checked: boolean };

/** The appearance of a signer's signature or initials. */
export function markOf(signer: SignerRow, type: "SIGNATURE" | "INITIALS"): Handwritten | null {
  const [typed, image] =
    type === "SIGNATURE"
      ? [signer.signatureText, signer.signatureSha256]
      : [signer.initialsText, signer.initialsSha256];
  if (typed !== null) return { typed };
  return image === null ? null : { image };
}

/** What a field shows; null if nothing. */
export function shownIn(field: FieldRow, signer: SignerRow): FieldContent | null {
  if (field.type === "CHECKBOX") return { checked: field.value === "true" };
  if (!field.filled) return null;
  if (field.type === "SIGNATURE" || field.type === "INITIALS") return markOf(signer, field.type);
  return field.value === null ? null : { text: field.value };
}

/** The key of what a signer put in a field. Equal appearances have equal keys, so a picture is requested once. */
export function keyOf({ id }: Pick<SignerRow, "id">, shown: FieldContent): string;
export function keyOf({ id }: Pick<SignerRow, "id">, shown: FieldContent | null): string | null;
export function keyOf({ id }: Pick<SignerRow, "id">, shown: FieldContent | null): string | null {
  return shown && hash("sha256", JSON.stringify([id, shown]), "base64url");
}
