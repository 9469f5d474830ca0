/** An approval rule being edited: amounts as typed, and people with their names. */
import { amountIssue, centsFrom } from "#components/contracts/money.ts";
import type { RefusedForm } from "#components/ui/form.tsx";
import type { ApprovalRule, ApprovalStep } from "#lib/approvals/schema.ts";
import { decimalAmount } from "#lib/core/money.ts";
import type { InputOf } from "#lib/doors/client.ts";

type Conditions = ApprovalRule["conditions"];

export interface StepDraft {
  /** Identifies the step even if steps are moved. */
  key: number;
  needs: ApprovalStep["needs"];
  /** Null if `people` approve. */
  role: ApprovalStep["role"];
  people: { id: string; name: string }[];
}

export interface RuleDraft extends Omit<Conditions, "value"> {
  name: string;
  amount: string;
  currency: string;
  steps: StepDraft[];
}

export interface DraftErrors {
  name?: string;
  amount?: string;
  /** The errors by the key of the step. */
  steps?: Record<number, string>;
}

export const emptyStep = (key: number): StepDraft => ({ key, needs: "ANY", role: "admin", people: [] });

export function draftOf(rule: ApprovalRule | undefined, currency: string): RuleDraft {
  if (!rule) {
    const nothing = { types: [], ourRoles: [], relationshipTypes: [], deviation: null };
    return { ...nothing, name: "", amount: "", currency, steps: [emptyStep(0)] };
  }
  const { value, ...conditions } = rule.conditions;
  return {
    ...conditions,
    name: rule.name,
    amount: value ? decimalAmount(value.atLeastCents, value.currency) : "",
    currency: value?.currency ?? currency,
    steps: rule.steps.map(({ needs, role, people }, key) => ({ key, needs, role, people })),
  };
}

export function validate({ name, amount, currency, steps }: RuleDraft): DraftErrors {
  const wrongAmount = amountIssue(amount, currency);
  const empty = steps.filter(({ role, people }) => role === null && people.length === 0);
  return {
    ...(name.trim() === "" ? { name: "Enter a name." } : {}),
    ...(wrongAmount ? { amount: wrongAmount } : {}),
    ...(empty.length > 0
      ? { steps: Object.fromEntries(empty.map(({ key }) => [key, "Choose at least one person."])) }
      : {}),
  };
}

/** Assigns the server's errors to their fields; `rest` is the text of those without a field. */
export function placeErrors({ message, issues }: RefusedForm): {
  wrong: DraftErrors;
  rest: string | undefined;
} {
  const wrong: DraftErrors = {};
  const rest: string[] = [];
  for (const { path, message: why, sentence = why } of issues ?? []) {
    if (path === "name") wrong.name ??= why;
    else if (path.startsWith("conditions.value")) wrong.amount ??= why;
    else rest.push(sentence);
  }
  return { wrong, rest: issues?.length ? rest.join("; ") || undefined : message };
}

export function inputFrom({ name, amount, currency, steps, ...conditions }: RuleDraft) {
  const cents = amount.trim() === "" ? null : centsFrom(amount, currency);
  return {
    name,
    conditions: { ...conditions, value: cents === null ? null : { atLeastCents: cents, currency } },
    steps: steps.map(({ needs, role, people }) => ({
      needs,
      role,
      userIds: role === null ? people.map(({ id }) => id) : [],
    })),
  } satisfies InputOf<"approvalRules.create">;
}
