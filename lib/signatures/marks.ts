/** What stands in a field once the document is sealed, and how a page that shows it before names it. */
import { hash } from "node:crypto";
import type { FieldRow, SignerRow } from "./rows.ts";

/** What someone adopted: typed, or an image by its sha256. */
export type Handwritten = { typed: string } | { image: string };

export type Shown = Handwritten | { text: string } | { checked: boolean };

/** What a signer's signature, or initials, look like. */
export function markOf(signer: SignerRow, type: "SIGNATURE" | "INITIALS"): Handwritten | null {
  const [typed, image] =
    type === "SIGNATURE"
      ? [signer.signatureText, signer.signatureSha256]
      : [signer.initialsText, signer.initialsSha256];
  if (typed !== null) return { typed };
  return image === null ? null : { image };
}

/** What a field shows; null where nothing is put. */
export function shownIn(field: FieldRow, signer: SignerRow): Shown | null {
  if (field.type === "CHECKBOX") return { checked: field.value === "true" };
  if (!field.filled) return null;
  if (field.type === "SIGNATURE" || field.type === "INITIALS") return markOf(signer, field.type);
  return field.value === null ? null : { text: field.value };
}

/** Names what a signer put there. What looks the same has the same name: its picture is asked for once. */
export function keyOf({ id }: Pick<SignerRow, "id">, shown: Shown): string;
export function keyOf({ id }: Pick<SignerRow, "id">, shown: Shown | null): string | null;
export function keyOf({ id }: Pick<SignerRow, "id">, shown: Shown | null): string | null {
  return shown && hash("sha256", JSON.stringify([id, shown]), "base64url");
}
