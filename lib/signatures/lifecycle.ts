/** The states of a signature request and of its signers. */

export const envelopeStatuses = [
  "DRAFT",
  "SENT",
  "PARTIALLY_SIGNED",
  "SEALING",
  "COMPLETED",
  "DECLINED",
  "VOIDED",
  "EXPIRED",
] as const;
export type EnvelopeStatus = (typeof envelopeStatuses)[number];

export const signerStatuses = [
  "PENDING",
  "NOTIFIED",
  "VIEWED",
  "SIGNED",
  "DECLINED",
  "DELEGATED",
  "EXPIRED",
  "CANCELLED",
] as const;
export type SignerStatus = (typeof signerStatuses)[number];

export const parties = ["ORG_USER", "COUNTERPARTY_CONTACT", "EXTERNAL"] as const;

export const fieldTypes = [
  "SIGNATURE",
  "INITIALS",
  "NAME",
  "EMAIL",
  "TITLE",
  "COMPANY",
  "DATE_SIGNED",
  "TEXT",
  "NUMBER",
  "DATE",
  "CHECKBOX",
  "DROPDOWN",
] as const;

export const signingEventTypes = [
  "CREATED",
  "SENT",
  "NOTIFIED",
  "REMINDED",
  "DELIVERY_FAILED",
  "VIEWED",
  "CODE_SENT",
  "CODE_VERIFIED",
  "CODE_FAILED",
  "CONSENTED",
  "SIGNED",
  "DECLINED",
  "DELEGATED",
  "SIGNER_CORRECTED",
  "DEADLINE_EXTENDED",
  "VOIDED",
  "EXPIRED",
  "SEALED",
  "SEAL_FAILED",
  "COMPLETED",
  "DOWNLOADED",
] as const;

type Moments = Record<"notifiedAt" | "viewedAt" | "signedAt" | "declinedAt" | "delegatedAt", Date | null>;

/** A signer's status follows from what happened; the envelope's end closes what was still open. */
export function signerStatus(signer: Moments, envelope: EnvelopeStatus): SignerStatus {
  if (signer.delegatedAt) return "DELEGATED";
  if (signer.signedAt) return "SIGNED";
  if (signer.declinedAt) return "DECLINED";
  if (envelope === "EXPIRED") return "EXPIRED";
  if (envelope === "VOIDED" || envelope === "DECLINED") return "CANCELLED";
  if (signer.viewedAt) return "VIEWED";
  return signer.notifiedAt ? "NOTIFIED" : "PENDING";
}
