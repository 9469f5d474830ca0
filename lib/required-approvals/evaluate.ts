/** Which rules a contract falls under, and which steps they ask for: rules are data, and this reads nothing else. */

/** How a document stands to the template that its contract came from. */
export type Origin = "SAME" | "CHANGED" | "NONE";

/** What a rule applies to. An empty list or null asks nothing; of several, all must hold. */
export interface Conditions {
  types: string[];
  ourRoles: string[];
  value: { atLeastCents: string; currency: string } | null;
  relationshipTypes: string[];
  /** CHANGED: the document is not as its template made it. CHANGED_OR_NONE: or no template made it. */
  deviation: "CHANGED" | "CHANGED_OR_NONE" | null;
}

export interface Step {
  needs: "ANY" | "ALL";
  /** Of everyone with this role, or where it is null of these members. */
  role: string | null;
  userIds: string[];
}

export interface Rule {
  id: string;
  name: string;
  revision: number;
  conditions: Conditions;
  steps: Step[];
}

/** What rules ask of a contract and of the version that is to be approved or sent. */
export interface Facts {
  type: string;
  ourRole: string;
  valueCents: string | null;
  valueCurrency: string | null;
  /** Null: it has no counterparty. */
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

/** No value, or one in another currency, counts as above: no one slips through by leaving it out. */
function isAtLeast({ atLeastCents, currency }: NonNullable<Conditions["value"]>, facts: Facts): boolean {
  if (facts.valueCents === null || facts.valueCurrency !== currency) return true;
  return BigInt(facts.valueCents) >= BigInt(atLeastCents);
}

/** Which rules something was approved under, and in which revision of their steps. */
export type RuleMark = Pick<Rule, "id" | "revision">;

export interface Requirement {
  rules: Rule[];
  /** In the order of the rules; a step that two rules ask for is asked once. */
  steps: Step[];
}

export function requirementOf(rules: Rule[], facts: Facts): Requirement {
  const applying = rules.filter((rule) => applies(rule, facts));
  return { rules: applying, steps: without(applying.flatMap(({ steps }) => steps)) };
}

/** The rules that nothing has been approved under yet. */
export const uncovered = (rules: Rule[], given: RuleMark[]): Rule[] =>
  rules.filter((rule) => !given.some(({ id, revision }) => id === rule.id && revision === rule.revision));

/** The steps, each once, that are not among those asked before. */
export function without(steps: Step[], before: Step[] = []): Step[] {
  const known = new Set(before.map(keyOf));
  return steps.filter((step) => {
    const key = keyOf(step);
    return !known.has(key) && known.add(key);
  });
}

const keyOf = ({ needs, role, userIds }: Step): string =>
  // Any of one and all of one are the same.
  JSON.stringify([role, [...userIds].sort(), role === null && userIds.length === 1 ? null : needs]);
