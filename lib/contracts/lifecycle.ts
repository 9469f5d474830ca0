/**
 * The statuses of contracts, who may change which, and what the calendar alone changes.
 */

import { type Day, termEnd } from "#lib/core/dates.ts";
import type { Lifecycle } from "#lib/core/lifecycle.ts";

export const contractTypes = [
  "NDA",
  "MSA",
  "SOW",
  "ORDER_FORM",
  "SAAS",
  "PSA",
  "DPA",
  "BAA",
  "SLA",
  "LICENSE",
  "RESELLER",
  "PARTNERSHIP",
  "PILOT",
  "EMPLOYMENT",
  "CONTRACTOR",
  "LEASE",
  "LOI",
  "AMENDMENT",
  "OTHER",
] as const;

export const ourRoles = [
  "COUNTERPARTY",
  "VENDOR",
  "CUSTOMER",
  "PARTNER",
  "EMPLOYER",
  "LANDLORD",
  "TENANT",
  "INVESTOR",
] as const;

/** The sort keys of a contract list. */
export const contractSorts = [
  "lastActivityAt",
  "createdAt",
  "updatedAt",
  "title",
  "effectiveDate",
  "executedAt",
  "expiresAt",
  "statusChangedAt",
  "valueCents",
] as const;

export const contractStatuses = [
  "DRAFT",
  "IN_REVIEW",
  "NEGOTIATING",
  "APPROVED",
  "OUT_FOR_SIGNATURE",
  "EXECUTED",
  "ACTIVE",
  "EXPIRED",
  "TERMINATED",
  "CANCELLED",
] as const;

export type ContractStatus = (typeof contractStatuses)[number];

export const contractLifecycle: Lifecycle<ContractStatus> = {
  DRAFT: {
    to: ["IN_REVIEW", "NEGOTIATING", "APPROVED", "EXECUTED", "CANCELLED"],
    system: ["OUT_FOR_SIGNATURE"],
  },
  IN_REVIEW: {
    to: ["DRAFT", "NEGOTIATING", "APPROVED", "EXECUTED", "CANCELLED"],
    system: ["OUT_FOR_SIGNATURE"],
  },
  NEGOTIATING: {
    to: ["DRAFT", "IN_REVIEW", "APPROVED", "EXECUTED", "CANCELLED"],
    system: ["OUT_FOR_SIGNATURE"],
  },
  APPROVED: {
    to: ["IN_REVIEW", "NEGOTIATING", "EXECUTED", "CANCELLED"],
    // IN_REVIEW when a new version is added.
    system: ["OUT_FOR_SIGNATURE", "IN_REVIEW"],
  },
  OUT_FOR_SIGNATURE: {
    to: [],
    // EXECUTED once sealed; the previous status when the request is declined, voided or expires.
    system: ["EXECUTED", "DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED"],
    why: "Void the signature request first.",
  },
  EXECUTED: { to: ["ACTIVE", "TERMINATED"], system: ["ACTIVE"] },
  ACTIVE: { to: ["EXPIRED", "TERMINATED"], system: ["EXPIRED"] },
  EXPIRED: { to: ["ACTIVE", "TERMINATED"] },
  TERMINATED: { to: [], why: "Termination is final." },
  CANCELLED: { to: ["DRAFT"] },
};

/** While a contract has one of these statuses, a second one with the same document is probably a mistake. */
export const liveStatuses = contractStatuses.filter(
  (status) => status !== "CANCELLED" && status !== "TERMINATED" && status !== "EXPIRED",
);

export type Term = {
  effectiveDate: Day | null;
  /** Months from the effective day to the end of the current term. Each renewal extends it. */
  termMonths: number | null;
  autoRenews: boolean;
  /** Months added by each renewal; null for the length of the first term. */
  renewalMonths: number | null;
};

/** One automatic change to a contract. A renewal is given in months of `termMonths`. */
export type Step =
  | { kind: "status"; from: ContractStatus; to: ContractStatus }
  | { kind: "renewal"; from: number; to: number };

/**
 * The status and term of a contract today, and the steps that led there, in order. Running once after a long gap
 * gives the same result as running every day. Without steps, nothing has changed.
 */
export function advance(contract: Term & { status: ContractStatus }, today: Day) {
  const { effectiveDate, autoRenews } = contract;
  let { status, termMonths, renewalMonths } = contract;
  const steps: Step[] = [];

  const become = (to: ContractStatus) => {
    steps.push({ kind: "status", from: status, to });
    status = to;
  };

  if (status === "EXECUTED" && effectiveDate !== null && effectiveDate <= today) become("ACTIVE");

  if (status === "ACTIVE" && effectiveDate !== null && termMonths !== null) {
    while (autoRenews && termEnd(effectiveDate, termMonths) < today) {
      // Recorded at the first renewal: once the term is longer, the length of the first term is lost.
      renewalMonths ??= termMonths;
      if (renewalMonths < 1) break; // such a renewal would never reach today
      steps.push({ kind: "renewal", from: termMonths, to: termMonths + renewalMonths });
      termMonths += renewalMonths;
    }
    if (termEnd(effectiveDate, termMonths) < today) become("EXPIRED");
  }

  return { status, termMonths, renewalMonths, steps };
}
