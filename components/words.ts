/** The API's enumerations in plain words. */
import { formatCount } from "./ui/numbers.ts";

const spoken: Record<string, string> = {
  SAAS: "SaaS",
  LOI: "Letter of intent",
  LICENSE: "Licence",
  MANUAL: "By hand",
  AI: "Suggested",
  SYSTEM: "Automatic",
};

const abbreviations = new Set(["NDA", "MSA", "SOW", "PSA", "DPA", "BAA", "SLA", "API", "PDF"]);

/** `OUT_FOR_SIGNATURE` → `Out for signature`. */
export function inWords(value: string): string {
  if (spoken[value]) return spoken[value];
  const words = value.split("_").map((word) => (abbreviations.has(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Labels of fields whose names in the API are not what people call them. */
const fieldWords: Record<string, string> = {
  type: "Type",
  counterpartyId: "Counterparty",
  ownerId: "Owner",
  userId: "Person",
  assigneeId: "Assignee",
  contractId: "Contract",
  documentVersionId: "Document",
  executedAt: "Execution date",
  termMonths: "Term in months",
  autoRenews: "Renews automatically",
  renewalMonths: "Renewal term in months",
  expiresAt: "Last day",
  valueCents: "Value",
  valueCurrency: "Currency",
  anchorType: "Counted from",
  offsetValue: "Offset",
  offsetUnit: "Unit",
  offsetDirection: "Before or after",
  recurrenceMonths: "Repeats every (months)",
  completedCount: "Times completed",
  resolvedDate: "Due date",
  resolutionBasis: "How the date is counted",
  relationshipTypes: "Relationship",
  isPrimary: "Primary contact",
  contentBase64: "The file",
  contentType: "The kind of file",
  fileName: "The file's name",
  document: "The document",
  file: "The file",
  url: "Address",
  sizeBytes: "Size in bytes",
  consecutiveFailures: "Failures in a row",
};

/** `termMonths` → `Term in months`, `resolvedDate` → `Due date`, `fields.0.signerId` → `Signer`. */
export function fieldInWords(path: string): string {
  const field = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  const bare = field.replace(/(?<=[a-z])(Id|At)$/, "");
  return fieldWords[field] ?? inWords(bare.replace(/([A-Z])/g, "_$1").toUpperCase());
}

export const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: inWords(value) }));

/** Returns a count with its noun: `1 contract`, `2 contracts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
