/** Rules: conditions on a document's values that decide whether it includes a section. Data, not code. */
import type { TemplateRule } from "./schema.ts";
import type { Value } from "./values.ts";

/** Looks up what a rule compares: the value of a variable or of a binding; null if there is none. */
export type Lookup = (source: { variable: string } | { binding: string }) => Value | null;

/** Whether a rule holds. A missing value equals nothing, and is neither greater nor less. */
export function evaluateRule(rule: TemplateRule, lookUp: Lookup): boolean {
  if ("all" in rule) return rule.all.every((inner) => evaluateRule(inner, lookUp));
  if ("any" in rule) return rule.any.some((inner) => evaluateRule(inner, lookUp));
  const value = lookUp("variable" in rule ? { variable: rule.variable } : { binding: rule.binding });
  switch (rule.op) {
    case "isSet":
      return (value !== null) === rule.value;
    case "equals":
      return value !== null && same(value, rule.value);
    case "notEquals":
      return value === null || !same(value, rule.value);
    case "in":
      return value !== null && rule.value.some((one) => same(value, one));
    case "greaterThan":
      return value !== null && compare(value, rule.value) > 0;
    case "lessThan":
      return value !== null && compare(value, rule.value) < 0;
  }
}

type Literal = string | number | boolean;

/** Text ignores case: nobody who writes a rule thinks of it. */
function same(value: Value, literal: Literal): boolean {
  if (value.type === "boolean") return value.boolean === (literal === true || literal === "true");
  if (value.type === "number" || value.type === "currency") return value.number === Number(literal);
  return value.text.toLowerCase() === String(literal).toLowerCase();
}

/** Negative, 0 or positive; NaN if the two cannot be compared, so that neither is greater. */
function compare(value: Value, literal: Literal): number {
  if (value.type === "boolean") return Number.NaN;
  if (value.type === "number" || value.type === "currency") return value.number - Number(literal);
  if (value.type !== "date" || typeof literal !== "string") return Number.NaN;
  return value.text < literal ? -1 : Number(value.text > literal);
}

/** All variables and bindings that a rule uses. */
export function sourcesOf(rule: TemplateRule): ({ variable: string } | { binding: string })[] {
  if ("all" in rule) return rule.all.flatMap(sourcesOf);
  if ("any" in rule) return rule.any.flatMap(sourcesOf);
  return ["variable" in rule ? { variable: rule.variable } : { binding: rule.binding }];
}
