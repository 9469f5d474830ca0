/** What a column of a CSV can be: the fields of a contract in people's tables, and the headings that they use. */
import { columnOfKey } from "#lib/custom-fields/catalogue.ts";

export const importFields = [
  "title",
  "type",
  "ourRole",
  "status",
  "counterpartyName",
  "ownerEmail",
  "effectiveDate",
  "executedAt",
  "termMonths",
  "autoRenews",
  "renewalMonths",
  "value",
  "valueCents",
  "valueCurrency",
  "tags",
] as const;

export type ImportField = (typeof importFields)[number];

/** One of these fields, or a custom field by its name in the API. */
export type ImportTarget = ImportField | ReturnType<typeof columnOfKey>;

/** The orders in which people write the parts of a date. */
export const dateOrders = ["YMD", "DMY", "MDY"] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Common headings, reduced to their letters. */
const headings: Record<ImportField, string> = {
  title: "title name contract contractname contracttitle agreement subject",
  type: "type contracttype agreementtype kind",
  ourRole: "ourrole role",
  status: "status state stage",
  counterpartyName: "counterparty counterpartyname party otherparty company vendor supplier customer client",
  ownerEmail: "owneremail owner contractowner responsible",
  effectiveDate: "effectivedate effective startdate start begin begins validfrom commencementdate",
  executedAt: "executedat executiondate executed signed signedon signedat signaturedate",
  termMonths: "termmonths terminmonths term durationmonths duration",
  autoRenews: "autorenews autorenewal autorenew renewsautomatically",
  renewalMonths: "renewalmonths renewalterm renewsforinmonths",
  value: "value amount contractvalue totalvalue price",
  valueCents: "valuecents valueincents",
  valueCurrency: "valuecurrency currency",
  tags: "tags tag labels keywords",
};

const byHeading = new Map(
  importFields.flatMap((field) => headings[field].split(" ").map((heading) => [heading, field] as const)),
);

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, "");

/** Guesses the field of each column, using each field once; null if the heading does not tell. */
export function guessFields(
  names: string[],
  customFields: { key: string; name: string }[] = [],
): (ImportTarget | null)[] {
  const taken = new Set<ImportTarget>();
  const take = (field: ImportTarget | undefined) => {
    if (!field || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  // If both "Owner" and "Owner e-mail" exist, the addresses win, because names are not unique.
  const exact = names.map((name) => take(importFields.find((field) => lettersOf(field) === lettersOf(name))));
  // The name of a workspace's own field takes precedence over a common heading.
  const own = new Map(
    customFields.flatMap(({ key, name }) =>
      [columnOfKey(key), name].map((heading) => [heading, columnOfKey(key)]),
    ),
  );
  const theirs = exact.map((field, index) => field ?? take(own.get(names[index]!)));
  return theirs.map((field, index) => field ?? take(byHeading.get(lettersOf(names[index]!))));
}

/** Guesses the order of dates: from a date that is unambiguous, or else from what is usual with its separator. */
export function guessDateOrder(samples: string[]): DateOrder {
  const parts = samples.flatMap((sample) => {
    const [, first, mark, second] = /^(\d{1,2})([./-])(\d{1,2})[./-]\d{4}$/.exec(sample) ?? [];
    return first ? [{ first: Number(first), mark, second: Number(second) }] : [];
  });
  if (parts.length === 0) return "YMD";
  if (parts.some(({ first }) => first > 12)) return "DMY";
  return parts.some(({ mark, second }) => mark === "/" || second > 12) ? "MDY" : "DMY";
}
