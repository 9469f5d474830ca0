import type { MyApproval } from "#lib/approvals/schema.ts";

/** Formats the details of an approval: `Version 2 · Acme · requested by Ada`. */
export const approvalDetails = ({ version, counterpartyName, requestedBy }: MyApproval): string =>
  [version && `Version ${version.versionNumber}`, counterpartyName, `requested by ${requestedBy.name}`]
    .filter(Boolean)
    .join(" · ");
