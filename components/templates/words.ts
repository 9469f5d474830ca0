/** Labels for templates in plain words. */
import type { BindingName, VariableType } from "#lib/templates/schema.ts";

export const typeWords: Record<VariableType, string> = {
  text: "Text",
  textarea: "Long text",
  number: "Number",
  currency: "Amount",
  date: "Date",
  boolean: "Yes or no",
  select: "Choice",
  email: "E-mail address",
};

const bindingWords: Record<BindingName, string> = {
  "contract.title": "The contract's title",
  "contract.type": "The contract's type",
  "contract.ourRole": "Our role",
  "contract.effectiveDate": "Effective date",
  "contract.expiresAt": "Last day of the term",
  "contract.termMonths": "Term in months",
  "contract.autoRenews": "Whether it renews",
  "contract.renewalMonths": "Renewal in months",
  "contract.value": "The contract's value",
  "contract.valueCurrency": "The value's currency",
  "counterparty.name": "Counterparty's name",
  "counterparty.domain": "Counterparty's domain",
  "contact.name": "Main contact's name",
  "contact.email": "Main contact's e-mail address",
  "organization.name": "Our name",
  "organization.currency": "Our currency",
  "owner.name": "Owner's name",
  "owner.email": "Owner's e-mail address",
  today: "Today's date",
};

export const controlWords: Record<string, string> = {
  rep: "The user decides",
  rule: "A rule decides",
  fixed: "It is always the same",
};

type Named = { key: string; name: string };

const bindingTo = (key: string) => `contract.customFields.${key}`;

/** Returns the label of a binding. `fields` are the workspace's custom fields. */
export function bindingLabel(binding: string | null, fields: Named[]): string | null {
  if (binding === null) return null;
  const field = fields.find(({ key }) => bindingTo(key) === binding);
  return field?.name ?? bindingWords[binding as BindingName] ?? binding;
}

/** Returns what variables can be bound to: built-in values, and the workspace's custom fields. */
export const bindingOptions = (fields: Named[]) => [
  ...Object.entries(bindingWords).map(([value, label]) => ({ value, label })),
  ...fields.map(({ key, name }) => ({ value: bindingTo(key), label: name })),
];
