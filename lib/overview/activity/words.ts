/** Describes changes in plain words, without ids, hashes or minor units. */
import { decimalAmount, decimalsOf } from "#lib/core/money.ts";

export type Changes = Record<string, { from: unknown; to: unknown }>;
export type Names = ReadonlyMap<string, string>;

/** Fields that hold an id. The name is shown instead. */
const named: Record<string, string> = {
  ownerId: "Owner",
  counterpartyId: "Counterparty",
  assigneeId: "Assignee",
  approverId: "Approver",
  requestedById: "Requested by",
};

/** Hidden fields: other ids and hashes mean nothing to people, and the rest follows from what is shown. */
const hidden = /Ids?$|[sS]ha256$|^(resolutionBasis|updatedAt|statusChangedAt|lastActivityAt|valueCurrency)$/;

/** Returns the ids in a change whose names are needed. */
export function namedIds(changes: Changes): string[] {
  const ids = Object.keys(named).flatMap((field) => {
    const { from, to } = changes[field] ?? {};
    return [from, to].filter((id) => typeof id === "string");
  });
  const { from, to } = changes.customFields ?? {};
  const values = [from, to].flatMap((side) => Object.values(Object(side)));
  return [...ids, ...values.filter((value) => typeof value === "string" && isUserId.test(value))] as string[];
}

const isUserId = /^usr_[0-9a-z]{26}$/;

export interface NameLookups {
  names: Names;
  /** The names of custom fields by key. */
  fieldNames: Names;
  currency: string | null;
}

/** Returns a line for each field that changed. */
export function describeChanges(changes: Changes, { names, fieldNames, currency }: NameLookups) {
  const lines = Object.entries(changes).flatMap(([field, { from, to }]) => {
    if (field === "customFields") return customFieldLines(from, to, { names, fieldNames });
    if (field in named) {
      const nameOf = (id: unknown) => (typeof id === "string" ? (names.get(id) ?? "Someone") : null);
      return [{ field: named[field]!, from: nameOf(from), to: nameOf(to) }];
    }
    if (hidden.test(field) || field === "valueCents") return [];
    return [{ field: fieldInWords(field), from: valueInWords(field, from), to: valueInWords(field, to) }];
  });
  return [...lines, ...valueLine(changes, currency)].filter(({ from, to }) => from !== to);
}

/** The values of custom fields as they were entered. A deleted field is shown by its key. */
function customFieldLines(from: unknown, to: unknown, { names, fieldNames }: Omit<NameLookups, "currency">) {
  const textOf = (side: unknown, key: string): string | null => {
    const value: unknown = Object(side)[key];
    return typeof value === "string" ? (names.get(value) ?? value) : null;
  };
  return Object.keys(Object(to)).map((key) => ({
    field: fieldNames.get(key) ?? sentence(key.replaceAll("-", " ")),
    from: textOf(from, key),
    to: textOf(to, key),
  }));
}

/** Shows value and currency as one field. `currency` is the currency after the change. */
function valueLine({ valueCents, valueCurrency }: Changes, currency: string | null) {
  if (!valueCents && !valueCurrency) return [];
  const money = (cents: unknown, code: unknown) =>
    typeof cents === "string" && typeof code === "string" ? amount(cents, code) : null;
  const after = valueCurrency ? valueCurrency.to : currency;
  const before = valueCurrency ? valueCurrency.from : currency;
  const code = (currency: unknown) => valueInWords("valueCurrency", currency);
  if (!valueCents) return [{ field: "Currency", from: code(before), to: code(after) }];
  return [{ field: "Value", from: money(valueCents.from, before), to: money(valueCents.to, after) }];
}

function amount(cents: string, currency: string): string {
  const digits = decimalsOf(currency);
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A number would lose digits of the largest values; a string is formatted exactly.
  const units = decimalAmount(cents, currency) as Intl.StringNumericLiteral;
  return format.format(units).replaceAll("\u00a0", " ");
}

const abbreviations = new Set(["NDA", "MSA", "SOW", "PSA", "DPA", "BAA", "SLA", "LOI"]);

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Formats `OUT_FOR_SIGNATURE` as `Out for signature`. */
function inWords(code: string): string {
  return sentence(
    code
      .split("_")
      .map((word) => (abbreviations.has(word) ? word : word.toLowerCase()))
      .join(" "),
  );
}

/** Formats `termMonths` as `Term months`. */
const fieldInWords = (field: string) => sentence(field.replace(/([A-Z])/g, " $1").toLowerCase());

/** Fields whose values are the product's own codes. Other values were entered by people and stay as they are. */
const enumerated = /^(ourRole|status|type|kind|anchorType|offset(Unit|Direction))$/;

function valueInWords(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.map((item) => valueInWords(field, item) ?? "").join(", ");
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, one]) => `${fieldInWords(name)}: ${valueInWords(name, one) ?? "–"}`)
      .join(", ");
  }
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/.test(text)) return text.slice(0, 10);
  return enumerated.test(field) && /^[A-Z_]+$/.test(text) ? inWords(text) : text;
}
