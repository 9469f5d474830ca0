/**
 * The types, roles and statuses of contracts, who may change a status to which, and the changes that follow
 * from the date alone.
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

/** What a list of contracts can be sorted by. */
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
    // IN_REVIEW with a new version.
    system: ["OUT_FOR_SIGNATURE", "IN_REVIEW"],
  },
  OUT_FOR_SIGNATURE: {
    to: [],
    // EXECUTED once sealed; the status it was sent from when the request is declined, voided or expires.
    system: ["EXECUTED", "DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED"],
    why: "Void the signature request first.",
  },
  EXECUTED: { to: ["ACTIVE", "TERMINATED"], system: ["ACTIVE"] },
  ACTIVE: { to: ["EXPIRED", "TERMINATED"], system: ["EXPIRED"] },
  EXPIRED: { to: ["ACTIVE", "TERMINATED"] },
  TERMINATED: { to: [], why: "Termination is final." },
  CANCELLED: { to: ["DRAFT"] },
};

/** The statuses in which a second contract with the same document is most likely a mistake. */
export const liveStatuses = contractStatuses.filter(
  (status) => status !== "CANCELLED" && status !== "TERMINATED" && status !== "EXPIRED",
);

export type Term = {
  effectiveDate: Day | null;
  /** The months from the effective date to the end of the current term. Each renewal extends it. */
  termMonths: number | null;
  autoRenews: boolean;
  /** The months by which a renewal extends the term; null for the length of the first term. */
  renewalMonths: number | null;
};

/**
 * A change that follows from the date alone. A renewal has `termMonths` before and after, and may combine
 * several.
 */
export type Step =
  | { kind: "status"; from: ContractStatus; to: ContractStatus }
  | { kind: "renewal"; from: number; to: number };

/** The most renewals recorded one by one: ten years of monthly ones. Earlier ones are combined into one. */
const maxRenewals = 120;

/**
 * Returns the state that a contract has reached by today, and the steps to it, in order; without steps,
 * nothing has changed. One call after a long time leads to the same state as a call every day.
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
    const by = renewalMonths ?? termMonths;
    let due = autoRenews ? renewalsUntil(today, effectiveDate, termMonths, by) : 0;
    // Stored at the first renewal, because the extended term no longer shows how long the first one was.
    if (due > 0) renewalMonths = by;
    while (due > 0) {
      const together = Math.max(1, due - maxRenewals + 1);
      steps.push({ kind: "renewal", from: termMonths, to: termMonths + together * by });
      termMonths += together * by;
      due -= together;
    }
    if (termEnd(effectiveDate, termMonths) < today) become("EXPIRED");
  }

  return { status, termMonths, renewalMonths, steps };
}

/** Returns the number of renewals, `by` months each, that a term needs to reach today. */
function renewalsUntil(today: Day, effectiveDate: Day, termMonths: number, by: number): number {
  if (by < 1) return 0; // such a renewal would never reach today
  let renewals = 0;
  while (termEnd(effectiveDate, termMonths + renewals * by) < today) renewals++;
  return renewals;
}
