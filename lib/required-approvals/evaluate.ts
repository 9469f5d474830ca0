/** Decides which rules apply to a contract and which steps they require, from its arguments alone. */

/** How a document relates to the template of its contract. */
export type Origin = "SAME" | "CHANGED" | "NONE";

/** The contracts that a rule applies to. An empty list or null matches all; every condition must match. */
export interface Conditions {
  types: string[];
  ourRoles: string[];
  value: { atLeastCents: string; currency: string } | null;
  relationshipTypes: string[];
  /** CHANGED: the document differs from what its template generated. CHANGED_OR_NONE: or there is no template. */
  deviation: "CHANGED" | "CHANGED_OR_NONE" | null;
}

export interface Step {
  needs: "ANY" | "ALL";
  /** Asks everyone with this role, or if it is null, these members. */
  role: string | null;
  userIds: string[];
}

export interface Rule {
  id: string;
  name: string;
  /** Changes when the steps do. */
  revision: number;
  conditions: Conditions;
  steps: Step[];
}

/** The facts about a contract, and the version to approve or send, that rules depend on. */
export interface Facts {
  type: string;
  ourRole: string;
  valueCents: string | null;
  valueCurrency: string | null;
  /** Null if the contract has no counterparty. */
  relationshipTypes: string[] | null;
  origin: Origin;
}

export function applies({ conditions }: Pick<Rule, "conditions">, facts: Facts): boolean {
  const { types, ourRoles, value, relationshipTypes, deviation } = conditions;
  const isAmong = (all: string[], one: string) => all.length === 0 || all.includes(one);
  return (
    isAmong(types, facts.type) &&
    isAmong(ourRoles, facts.ourRole) &&
    (value === null || isAtLeast(value, facts)) &&
    (relationshipTypes.length === 0 ||
      relationshipTypes.some((type) => facts.relationshipTypes?.includes(type))) &&
    (deviation === null ||
      facts.origin === "CHANGED" ||
      (deviation === "CHANGED_OR_NONE" && facts.origin === "NONE"))
  );
}

/** No value, or one in another currency, counts as above, so that omitting the value avoids no rule. */
function isAtLeast({ atLeastCents, currency }: NonNullable<Conditions["value"]>, facts: Facts): boolean {
  if (facts.valueCents === null || facts.valueCurrency !== currency) return true;
  return BigInt(facts.valueCents) >= BigInt(atLeastCents);
}

/** A rule under which something was approved, and the revision of its steps. */
export type RuleMark = Pick<Rule, "id" | "revision">;

export interface Requirement {
  rules: Rule[];
  /** In the order of the rules. A step that two rules require occurs once. */
  steps: Step[];
}

export function requirementOf(rules: Rule[], facts: Facts): Requirement {
  const applying = rules.filter((rule) => applies(rule, facts));
  return { rules: applying, steps: without(applying.flatMap(({ steps }) => steps)) };
}

/** The rules that are not among the given ones in their current revision. */
export const uncovered = (rules: Rule[], given: RuleMark[]): Rule[] =>
  rules.filter((rule) => !given.some(({ id, revision }) => id === rule.id && revision === rule.revision));

/** The steps, each once, that are not among the earlier ones. */
export function without(steps: Step[], before: Step[] = []): Step[] {
  const known = new Set(before.map(keyOf));
  return steps.filter((step) => {
    const key = keyOf(step);
    return !known.has(key) && known.add(key);
  });
}

const keyOf = ({ needs, role, userIds }: Step): string =>
  // For a single person, ANY and ALL are the same.
  JSON.stringify([role, [...userIds].sort(), role === null && userIds.length === 1 ? null : needs]);
