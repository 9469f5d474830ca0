/** The entries of the form that creates a contract from a template, and the request made from them. */
import { useReducer } from "react";
import { amountIssue, centsFrom } from "#components/contracts/money.ts";
import { shortYearsOf } from "#components/custom-fields/custom-fields.ts";
import { hasShortYear, parseWholeNumber, shortYear } from "#components/ui/typed.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import type { InputOf, OutputOf } from "#lib/doors/client.ts";
import type { TemplateDetail } from "./templates-page.tsx";

export interface Entries {
  ownerId: string;
  counterpartyId: string | null;
  /** If it is empty, the template's pattern determines the title. */
  title: string;
  ourRole: string;
  effectiveDate: string;
  termMonths: string;
  autoRenews: boolean;
  amount: string;
  valueCurrency: string;
  /** By field key. An empty value counts as missing. */
  customFields: Record<string, string>;
  variables: Record<string, string>;
  sections: Record<string, boolean>;
}

export type Entry =
  | { kind: "field"; fields: Partial<Omit<Entries, "variables" | "sections">> }
  | { kind: "variable"; key: string; value: string }
  | { kind: "sections"; sections: Record<string, boolean> };

export function useEntries(template: TemplateDetail, ownerId: string, currency: string) {
  return useReducer(entriesReducer, {
    ownerId,
    counterpartyId: null,
    title: "",
    ourRole: template.ourRole,
    effectiveDate: "",
    termMonths: "",
    autoRenews: false,
    amount: "",
    valueCurrency: currency,
    customFields: {},
    variables: {},
    sections: {},
  });
}

function entriesReducer(before: Entries, entry: Entry): Entries {
  if (entry.kind === "field") return { ...before, ...entry.fields };
  if (entry.kind === "sections") return { ...before, sections: { ...before.sections, ...entry.sections } };
  return { ...before, variables: { ...before.variables, [entry.key]: entry.value } };
}

const filledIn = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));

export type Filling = InputOf<"templates.check"> & { ownerId: string };

/** Returns the entries to send to the server, without empty and incomplete values. */
export function fillingOf(templateId: string, all: Entries): Filling {
  const { title, effectiveDate, amount, valueCurrency, counterpartyId } = all;
  const months = parseWholeNumber(all.termMonths);
  const hasTerm = months !== null && isTerm(months);
  const hasAmount = amount.trim() !== "" && amountIssue(amount, valueCurrency) === undefined;
  const valueCents = hasAmount ? centsFrom(amount, valueCurrency) : null;
  const given = filledIn(all.variables);
  const customFields = filledIn(all.customFields);
  return {
    templateId,
    ownerId: all.ownerId,
    ourRole: all.ourRole as Filling["ourRole"],
    ...(counterpartyId === null ? {} : { counterpartyId }),
    ...(title.trim() === "" ? {} : { title: title.trim() }),
    ...(/^\d{4}-\d\d-\d\d$/.test(effectiveDate) ? { effectiveDate } : {}),
    ...(hasTerm ? { termMonths: months } : {}),
    ...(all.autoRenews ? { autoRenews: true } : {}),
    ...(valueCents === null ? {} : { valueCents, valueCurrency }),
    ...(Object.keys(customFields).length > 0 ? { customFields } : {}),
    variables: given,
    sections: all.sections,
  };
}

const isTerm = (months: number) => months >= 1 && months <= 1200;

/** Returns the problems in values that are not sent to the server, by field name. */
export function localIssues(
  { termMonths, amount, valueCurrency, effectiveDate, variables, customFields }: Entries,
  declared: TemplateDetail["variables"],
  fields: CustomField[],
): Record<string, string> {
  const months = parseWholeNumber(termMonths);
  const badTerm = months !== null && !isTerm(months);
  const badAmount = amountIssue(amount, valueCurrency);
  const days = declared.filter(({ type, key }) => type === "date" && hasShortYear(variables[key]));
  return {
    ...(badTerm ? { termMonths: "must be a whole number from 1 to 1200" } : {}),
    ...(badAmount ? { amount: badAmount } : {}),
    ...(hasShortYear(effectiveDate) ? { effectiveDate: shortYear } : {}),
    ...Object.fromEntries(days.map(({ key }) => [`variables.${key}`, shortYear])),
    ...Object.fromEntries(shortYearsOf(fields, customFields).map(({ path, message }) => [path, message])),
  };
}

export type Check = OutputOf<"templates.check">;
