/** Labels and error messages for imports. */
import { issueInWords } from "#components/problem.ts";
import { fieldInWords, optionsOf } from "#components/words.ts";
import { contractStatuses, contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { columnOfKey } from "#lib/custom-fields/catalogue.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import type { DateOrder, ImportTarget } from "#lib/imports/catalogue.ts";
import type { ImportError } from "#lib/imports/schema.ts";

const ownWords: Partial<Record<string, string>> = {
  counterpartyName: "Counterparty",
  ownerEmail: "Owner’s e-mail address",
  valueCents: "Value in cents",
};

export const fieldLabel = (field: ImportTarget, customFields: CustomField[]) =>
  customFields.find(({ key }) => columnOfKey(key) === field)?.name ?? ownWords[field] ?? fieldInWords(field);

export const dateOrderWords: Record<DateOrder, string> = {
  YMD: "Year first: 2026-12-31",
  DMY: "Day first: 31.12.2026 or 31/12/2026",
  MDY: "Month first: 12/31/2026",
};

const list = (values: readonly string[]) =>
  optionsOf(values)
    .map(({ label }) => label)
    .join(", ");

/** Messages for invalid cells for which the API's own message would mention the API's formats. */
const rules: Record<string, string> = {
  type: `is not a contract type. Use one of: ${list(contractTypes)}.`,
  ourRole: `is not a valid role. Use one of: ${list(ourRoles)}.`,
  status: `is not a status that a contract can be imported in. Use one of: ${list(contractStatuses.filter((status) => status !== "OUT_FOR_SIGNATURE"))}.`,
  effectiveDate: "is not a date in the order that you chose.",
  executedAt: "is not a date in the order that you chose.",
  ownerEmail: "is not the address of an active member.",
  valueCents: "is not an amount in its currency.",
  valueCurrency: "is not a currency code, such as USD or EUR.",
  autoRenews: "is neither yes nor no.",
};

const fieldOf = (path: string, customFields: CustomField[]) =>
  path === "valueCents" ? "Value" : fieldLabel(path as ImportTarget, customFields);

/** Errors about the whole file rather than the line that they are reported for. */
const isOfFile = /^(has more than [\d,]+ rows|takes too long)/;

/** Returns an error as a sentence: “Lease” is not a contract type. */
export function errorInWords({ path, message, cell }: ImportError, customFields: CustomField[]): string {
  const isSentence = /^[A-Z]/.test(message);
  const rule = isSentence ? undefined : rules[path];
  if (rule && cell !== null) return `“${cell}” ${rule}`;
  if (path === "" && !isSentence) return `The ${isOfFile.test(message) ? "file" : "line"} ${message}.`;
  if (path === "") return message;
  const sentence = isSentence ? issueInWords({ path, message }) : `${fieldOf(path, customFields)} ${message}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
