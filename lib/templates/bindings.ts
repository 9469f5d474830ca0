/** Bindings: values that a document takes from the workspace, by dotted path. */
import { keyIn } from "#lib/custom-fields/catalogue.ts";
import type { BindingName, VariableType } from "./schema.ts";
import { amountOf, parseValue, printable, type Value } from "./values.ts";

/** Everything that a document can be filled from. Days are YYYY-MM-DD. */
export interface Sources {
  contract: {
    title: string | null;
    type: string;
    ourRole: string;
    effectiveDate: string | null;
    expiresAt: string | null;
    termMonths: number | null;
    autoRenews: boolean;
    renewalMonths: number | null;
    valueCents: string | null;
    valueCurrency: string | null;
    /** By field key, as printed. */
    customFields: Readonly<Record<string, string | null>>;
  };
  counterparty: { name: string; domain: string | null } | null;
  contact: { name: string; email: string } | null;
  organization: { name: string; currency: string };
  owner: { name: string; email: string };
  today: string;
}

const inWords = (code: string) => code.toLowerCase().replaceAll("_", " ");

/** Each path with the type of its value and how to read it. */
const paths: Record<BindingName, [VariableType, (sources: Sources) => string | number | boolean | null]> = {
  "contract.title": ["text", ({ contract }) => contract.title],
  "contract.type": ["text", ({ contract }) => contract.type],
  "contract.ourRole": ["text", ({ contract }) => inWords(contract.ourRole)],
  "contract.effectiveDate": ["date", ({ contract }) => contract.effectiveDate],
  "contract.expiresAt": ["date", ({ contract }) => contract.expiresAt],
  "contract.termMonths": ["number", ({ contract }) => contract.termMonths],
  "contract.autoRenews": ["boolean", ({ contract }) => contract.autoRenews],
  "contract.renewalMonths": ["number", ({ contract }) => contract.renewalMonths],
  "contract.value": ["currency", ({ contract }) => amountIn(contract)],
  "contract.valueCurrency": ["text", ({ contract }) => contract.valueCurrency],
  "counterparty.name": ["text", ({ counterparty }) => counterparty?.name ?? null],
  "counterparty.domain": ["text", ({ counterparty }) => counterparty?.domain ?? null],
  "contact.name": ["text", ({ contact }) => contact?.name ?? null],
  "contact.email": ["email", ({ contact }) => contact?.email ?? null],
  "organization.name": ["text", ({ organization }) => organization.name],
  "organization.currency": ["text", ({ organization }) => organization.currency],
  "owner.name": ["text", ({ owner }) => owner.name],
  "owner.email": ["email", ({ owner }) => owner.email],
  today: ["date", ({ today }) => today],
};

function amountIn({ valueCents, valueCurrency }: Sources["contract"]): string | null {
  return valueCents === null || valueCurrency === null ? null : amountOf(valueCents, valueCurrency);
}

export const bindingPaths = Object.keys(paths);

const isBuiltIn = (path: string): path is BindingName => Object.hasOwn(paths, path);

/** Whether a path is a binding. `contract.customFields.<key>` always is, whichever fields the workspace has now. */
export const isBinding = (path: string): boolean => isBuiltIn(path) || boundField(path) !== undefined;

/** The key of the custom field that a path names. */
export const boundField = (path: string): string | undefined =>
  path.startsWith("contract.") ? keyIn(path.slice("contract.".length)) : undefined;

/** The type of a binding's value. */
export function typeOfBinding(path: string): VariableType | undefined {
  return isBuiltIn(path) ? paths[path][0] : undefined;
}

function knownAt(path: string, sources: Sources): string | number | boolean | null {
  if (isBuiltIn(path)) return paths[path][1](sources);
  const { customFields } = sources.contract;
  const key = boundField(path) ?? "";
  return Object.hasOwn(customFields, key) ? (customFields[key] ?? null) : null;
}

/** A binding's value in the type that a variable needs; null if there is none, or if it does not fit that type. */
export function boundValue(
  path: string,
  sources: Sources,
  as: { type: VariableType; options: string[] } = { type: typeOfBinding(path) ?? "text", options: [] },
): Value | null {
  const known = knownAt(path, sources);
  if (known === null) return null;
  const text = typeof known === "string" ? printable(known) : known;
  const value = parseValue(text, { ...as, currency: currencyOf(sources) });
  return typeof value === "string" ? null : value;
}

/** The currency of amounts without one: the contract's, else the workspace's. */
export function currencyOf({ contract, organization }: Sources): string {
  return contract.valueCurrency ?? organization.currency;
}
