/** Describes approval steps and rules in plain words. */
import { moneyText } from "#components/money.tsx";
import { inWords } from "#components/words.ts";
import type { ApprovalRule, ApprovalStep } from "#lib/approvals/schema.ts";

const groups = {
  owner: { ANY: "Any owner", ALL: "All owners" },
  admin: { ANY: "Any admin", ALL: "All admins" },
  member: { ANY: "Any member", ALL: "All members" },
} as const;

/** Returns who approves in a step: `Ada, Grace or Linus`, `Ada and Grace`, `Any admin`. */
export function stepInWords({ needs, role, people }: ApprovalStep): string {
  if (role !== null) return groups[role][needs];
  const type = needs === "ALL" ? "conjunction" : "disjunction";
  return new Intl.ListFormat("en-GB", { type }).format(people.map(({ name }) => name));
}

/** Returns a sentence about people who can no longer approve, for whom owners stand in; null if none. */
export function standInsOf({ people }: ApprovalStep): string | null {
  const gone = people.filter(({ canApprove }) => !canApprove).map(({ name }) => name);
  if (gone.length === 0) return null;
  const names = new Intl.ListFormat("en-GB").format(gone);
  return `${names} cannot approve any more. An owner approves instead.`;
}

const alternatives = (values: readonly string[]) =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(values.map(inWords));

/** Returns what a rule applies to, one line for each condition. */
export function conditionsInWords({ conditions }: Pick<ApprovalRule, "conditions">): string[] {
  const { types, ourRoles, value, relationshipTypes, deviation } = conditions;
  return [
    ...(types.length > 0 ? [`Type is ${alternatives(types)}`] : []),
    ...(ourRoles.length > 0 ? [`Our role is ${alternatives(ourRoles)}`] : []),
    ...(value ? [`Value is ${moneyText(value.atLeastCents, value.currency)} or more`] : []),
    ...(relationshipTypes.length > 0 ? [`Counterparty is ${alternatives(relationshipTypes)}`] : []),
    ...(deviation ? [deviationWords[deviation]] : []),
  ];
}

export const deviationWords = {
  CHANGED: "Document differs from its template",
  CHANGED_OR_NONE: "Document differs from its template, or has none",
} as const;

/** The cached reads that an action on an approval invalidates. */
export const invalidatedByApproval = [
  "approvals",
  "contracts",
  "home",
  "notifications",
  "auditEvents",
] as const;
