/** The states of a signature request and its signers, their transitions, and whose turn it is. */
import type { Lifecycle } from "#lib/core/lifecycle.ts";

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

export const envelopeLifecycle: Lifecycle<EnvelopeStatus> = {
  DRAFT: { to: ["SENT"] },
  SENT: { to: ["VOIDED"], system: ["PARTIALLY_SIGNED", "SEALING", "DECLINED", "EXPIRED"] },
  PARTIALLY_SIGNED: { to: ["VOIDED"], system: ["SEALING", "DECLINED", "EXPIRED"] },
  SEALING: {
    // By an owner or admin, once sealing has failed.
    to: ["VOIDED"],
    system: ["COMPLETED"],
    why: "Everyone has signed; it is being sealed.",
  },
  COMPLETED: { to: [], why: "It is signed and sealed." },
  DECLINED: { to: [], why: "Duplicate it as a draft to try again." },
  VOIDED: { to: [], why: "Duplicate it as a draft to try again." },
  EXPIRED: { to: ["SENT"], why: "Extend its deadline to continue." },
};

/** The statuses in which signatures are accepted. */
export const outStatuses: EnvelopeStatus[] = ["SENT", "PARTIALLY_SIGNED"];

export const isOutForSignature = (status: string): boolean => outStatuses.some((one) => one === status);

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

export const signatureKinds = ["drawn", "typed", "uploaded"] as const;
export type SignatureKind = (typeof signatureKinds)[number];

export const mailStates = ["QUEUED", "SENT", "FAILED"] as const;

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
export type FieldType = (typeof fieldTypes)[number];

/** Filled with the adopted signature's appearance, which the API never returns. */
export const handwrittenTypes: ReadonlySet<string> = new Set(["SIGNATURE", "INITIALS"]);

/** Filled by the server when the signer signs. */
export const automaticTypes: ReadonlySet<string> = new Set(["NAME", "EMAIL", "DATE_SIGNED"]);

export const signingEventTypes = [
  "CREATED",
  "SENT",
  "NOTIFIED",
  "REMINDED",
  "DELIVERY_FAILED",
  "LINK_COPIED",
  "SESSION_VERIFIED",
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
export type SigningEventType = (typeof signingEventTypes)[number];

type Moments = Record<"notifiedAt" | "viewedAt" | "signedAt" | "declinedAt" | "delegatedAt", Date | null>;

/** Derives a signer's status from their timestamps; the envelope's end closes what was still open. */
export function signerStatus(signer: Moments, envelope: EnvelopeStatus): SignerStatus {
  if (signer.delegatedAt) return "DELEGATED";
  if (signer.signedAt) return "SIGNED";
  if (signer.declinedAt) return "DECLINED";
  if (envelope === "EXPIRED") return "EXPIRED";
  if (envelope === "VOIDED" || envelope === "DECLINED") return "CANCELLED";
  if (signer.viewedAt) return "VIEWED";
  return signer.notifiedAt ? "NOTIFIED" : "PENDING";
}

/** When it happened: a Date from the database or a string from a response. */
type Moment = Date | string | null;

interface Party {
  id: string;
  orderIndex: number;
  signedAt: Moment;
  declinedAt: Moment;
  delegatedAt: Moment;
}

/** What turns depend on. */
export interface Round<Signer extends Party = Party> {
  status: string;
  deadline: Date | null;
  signers: Signer[];
}

export const isWaiting = (signer: Pick<Party, "signedAt" | "declinedAt" | "delegatedAt">) =>
  !signer.signedAt && !signer.declinedAt && !signer.delegatedAt;

/** The signers whose turn it is: those who have not acted and have nobody open before them. */
export function signersOnTurn<Signer extends Party>({ signers }: Pick<Round<Signer>, "signers">): Signer[] {
  const waiting = signers.filter(isWaiting);
  const first = Math.min(...waiting.map(({ orderIndex }) => orderIndex));
  return waiting.filter(({ orderIndex }) => orderIndex === first);
}

/** Whether the deadline has passed; at the exact deadline it has. */
export const isPastDeadline = ({ deadline }: Pick<Round, "deadline">, now: Date): boolean =>
  deadline !== null && deadline <= now;

export type Obstacle = "over" | "late" | "acted" | "not_your_turn";

/**
 * Returns why this signer may not act now; null if they may. Order and deadline are enforced only here (and in
 * turns.ts, as SQL): it is called under the envelope's lock whenever a signature, a refusal or a delegation is
 * accepted.
 */
export function whyCannotAct(round: Round, signerId: string, now: Date): Obstacle | null {
  const signer = round.signers.find(({ id }) => id === signerId);
  if (!signer || !isWaiting(signer)) return "acted";
  if (round.status === "EXPIRED") return "late";
  if (!isOutForSignature(round.status)) return "over";
  if (isPastDeadline(round, now)) return "late";
  return signersOnTurn(round).includes(signer) ? null : "not_your_turn";
}

/** Whether a member is responsible for a request: its sender, or an owner or admin. */
export const canManageRequest = (
  sentById: string | null,
  { id, role }: { id: string; role: string },
): boolean => id === sentById || role === "owner" || role === "admin";

/**
 * Returns why a member may not copy a signer's link; null if they may. Anyone with a link can sign in the signer's
 * name, so only those responsible for the request may copy it, and never the link of another member.
 */
export function whyNoLink(
  signer: { name: string; isMember: boolean },
  sentById: string | null,
  member: { id: string; role: string },
): string | null {
  if (signer.isMember) {
    return `${signer.name} is a member of this workspace: they sign with the link in their own e-mail, or on this page with “Sign now”.`;
  }
  if (canManageRequest(sentById, member)) return null;
  return "Signing links can be copied by the sender of the request, an owner or an admin.";
}

/** The status of a request once this signer has signed. */
export function statusAfterSigning({ signers }: Pick<Round, "signers">, signerId: string): EnvelopeStatus {
  const others = signers.filter((signer) => signer.id !== signerId && isWaiting(signer));
  return others.length > 0 ? "PARTIALLY_SIGNED" : "SEALING";
}
