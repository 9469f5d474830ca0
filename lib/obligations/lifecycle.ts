/** The kinds, statuses and transitions of obligations. */

import { addDays, type Day } from "#lib/core/dates.ts";
import { canMove, type Lifecycle } from "#lib/core/lifecycle.ts";

export const obligationKinds = [
  "RENEWAL_NOTICE",
  "TERMINATION_NOTICE",
  "RENEWAL",
  "EXPIRATION",
  "PAYMENT",
  "PRICE_CHANGE",
  "DELIVERABLE",
  "MILESTONE",
  "REPORTING",
  "AUDIT",
  "INSURANCE",
  "COMPLIANCE",
  "CONFIDENTIALITY",
  "DATA_RETENTION",
  "OTHER",
] as const;
export type ObligationKind = (typeof obligationKinds)[number];

export const obligationSources = ["MANUAL", "AI", "TEMPLATE", "IMPORT", "SYSTEM"] as const;
export type ObligationSource = (typeof obligationSources)[number];

export const anchorTypes = [
  "EFFECTIVE_DATE",
  "EXECUTION_DATE",
  "EXPIRATION_DATE",
  "RENEWAL_DATE",
  "FIXED_DATE",
  "EVENT",
] as const;
export type AnchorType = (typeof anchorTypes)[number];

export const offsetUnits = ["DAY", "BUSINESS_DAY", "WEEK", "MONTH", "YEAR"] as const;
export type OffsetUnit = (typeof offsetUnits)[number];

export const offsetDirections = ["BEFORE", "AFTER"] as const;
export type OffsetDirection = (typeof offsetDirections)[number];

export const obligationStatuses = [
  "SUGGESTED",
  "PENDING_ANCHOR",
  "UPCOMING",
  "DUE",
  "OVERDUE",
  "COMPLETED",
  "WAIVED",
  "CANCELLED",
] as const;
export type ObligationStatus = (typeof obligationStatuses)[number];

/** The statuses of an obligation while someone still has to act. Which one applies depends only on the date. */
export const openStatuses = ["PENDING_ANCHOR", "UPCOMING", "DUE", "OVERDUE"] as const;
export type OpenStatus = (typeof openStatuses)[number];

export const dueWithinDays = 30;

export function openStatus(resolvedDate: Day | null, today: Day): OpenStatus {
  if (resolvedDate === null) return "PENDING_ANCHOR";
  if (resolvedDate < today) return "OVERDUE";
  return resolvedDate <= addDays(today, dueWithinDays) ? "DUE" : "UPCOMING";
}

const byDateAlone =
  "An open obligation changes between PENDING_ANCHOR, UPCOMING, DUE and OVERDUE by its date alone.";

/**
 * A person sets UPCOMING to accept a suggestion or to reopen, and CANCELLED to reject a suggestion; the server then
 * stores what `openStatus` returns. A waived obligation may still turn out to be completed, but a completed one
 * cannot be waived.
 */
export const obligationLifecycle: Lifecycle<ObligationStatus> = {
  SUGGESTED: { to: ["UPCOMING", "COMPLETED", "WAIVED", "CANCELLED"], system: ["CANCELLED"] },
  PENDING_ANCHOR: {
    to: ["COMPLETED", "WAIVED"],
    system: ["UPCOMING", "DUE", "OVERDUE", "CANCELLED"],
    why: byDateAlone,
  },
  UPCOMING: {
    to: ["COMPLETED", "WAIVED"],
    system: ["PENDING_ANCHOR", "DUE", "OVERDUE", "CANCELLED"],
    why: byDateAlone,
  },
  DUE: {
    to: ["COMPLETED", "WAIVED"],
    system: ["PENDING_ANCHOR", "UPCOMING", "OVERDUE", "CANCELLED"],
    why: byDateAlone,
  },
  OVERDUE: {
    to: ["COMPLETED", "WAIVED"],
    system: ["PENDING_ANCHOR", "UPCOMING", "DUE", "CANCELLED"],
    why: byDateAlone,
  },
  COMPLETED: { to: ["UPCOMING"] },
  WAIVED: { to: ["UPCOMING", "COMPLETED"] },
  CANCELLED: { to: [], why: "It ended with its contract, or was rejected." },
};

export function canRequest(from: ObligationStatus, to: ObligationStatus): boolean {
  return canMove(obligationLifecycle, from, to, "person");
}

/** Whether a contract with this status has nothing left to do: its open obligations are cancelled. */
export function closesObligations(contractStatus: string): boolean {
  return contractStatus === "CANCELLED" || contractStatus === "TERMINATED";
}
