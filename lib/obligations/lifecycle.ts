/** What obligations are made of, and what may become of one. */

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

/** The statuses an obligation has while someone still has to act. Which one it is, only the date says. */
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
 * A person asks for UPCOMING to accept a suggestion or to open again, and for CANCELLED to reject a suggestion; the server then sets what `openStatus`
 * says. A waived obligation may turn out to be done after all, but one that is done can no longer be waived.
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

export function canAsk(from: ObligationStatus, to: ObligationStatus): boolean {
  return canMove(obligationLifecycle, from, to, "person");
}

/** Whether a contract that is or becomes this has nothing left to be done: its open obligations are cancelled. */
export function closesObligations(contractStatus: string): boolean {
  return contractStatus === "CANCELLED" || contractStatus === "TERMINATED";
}
