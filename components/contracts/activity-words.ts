import { inWords } from "#components/words.ts";
import type { AuditAction } from "#lib/audit/lifecycle.ts";

/** The predicates of the activity list: what follows the name of the person or system that acted. */
const phrases: Partial<Record<AuditAction, string>> = {
  CONTRACT_CREATED: "created the contract",
  CONTRACT_UPDATED: "updated the contract",
  CONTRACT_STATUS_CHANGED: "changed the status",
  CONTRACT_COUNTERPARTY_CHANGED: "changed the counterparty",
  CONTRACT_ANCHORS_CHANGED: "changed the dates",
  CONTRACT_RENEWED: "renewed the contract",
  CONTRACT_ARCHIVED: "archived the contract",
  CONTRACT_UNARCHIVED: "unarchived the contract",
  VERSION_UPLOADED: "uploaded a version",
  VERSION_GENERATED: "generated a version",
  VERSION_DOWNLOADED: "downloaded a version",
  OBLIGATION_CREATED: "added an obligation",
  OBLIGATION_UPDATED: "updated an obligation",
  OBLIGATION_COMPLETED: "completed an obligation",
  OBLIGATION_WAIVED: "waived an obligation",
  OBLIGATION_PROPOSED: "found an obligation in the document",
  OBLIGATION_ACCEPTED: "accepted an obligation found in the document",
  OBLIGATION_REJECTED: "rejected an obligation found in the document",
  CONTRACT_DATE_REJECTED: "rejected a date found in the document",
  SIGNATURE_REQUEST_CREATED: "created a signature request",
  SIGNATURE_REQUEST_SENT: "sent the contract for signature",
  SIGNATURE_REQUEST_VIEWED: "opened the document to sign it",
  SIGNATURE_REQUEST_SIGNED: "signed",
  SIGNATURE_REQUEST_DECLINED: "declined to sign",
  SIGNATURE_REQUEST_DELEGATED: "asked someone else to sign instead",
  SIGNATURE_REQUEST_VOIDED: "voided the signature request",
  SIGNATURE_REQUEST_EXPIRED: "marked the signature request as expired",
  SIGNATURE_REQUEST_COMPLETED: "sealed the signed document",
  SIGNATURE_REQUEST_REMINDED: "reminded the signers",
  SIGNATURE_REQUEST_SIGNER_CORRECTED: "corrected a signer",
  SIGNATURE_REQUEST_DEADLINE_CHANGED: "changed the deadline of the signature request",
  SIGNATURE_REQUEST_LINK_COPIED: "copied a signing link",
  COMMENT_ADDED: "commented",
  COMMENT_EDITED: "edited a comment",
  COMMENT_RESOLVED: "resolved or reopened a thread",
  COMMENT_DELETED: "deleted a comment",
  APPROVAL_REQUESTED: "requested approval",
  APPROVAL_GIVEN: "approved the contract",
  APPROVAL_REFUSED: "sent the contract back",
  APPROVAL_DELEGATED: "delegated an approval",
  APPROVAL_WITHDRAWN: "withdrew the request for approval",
  SIGNATURE_PDF_DOWNLOADED: "downloaded the PDF of the signature request",
};

/** Returns the predicate for an action, to follow the actor's name. */
export function phraseOf(action: AuditAction): string {
  const phrase = phrases[action];
  if (phrase) return phrase;
  // Actions newer than this list: `COMMENT_ADDED` becomes `Comment: added`.
  const words = action.split("_");
  return `${inWords(words.slice(0, -1).join("_"))}: ${inWords(words.at(-1) ?? "").toLowerCase()}`;
}
