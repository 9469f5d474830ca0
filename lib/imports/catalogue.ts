/** What a column of a CSV can be: the fields of a contract as people have them in tables, and the headings they write. */
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

/** One of these, or a custom field by the name that the API has for it. */
export type ImportTarget = ImportField | ReturnType<typeof columnOfKey>;

/** In which order people write the parts of a date. */
export const dateOrders = ["YMD", "DMY", "MDY"] as const;
export type DateOrder = (typeof dateOrders)[number];

/** Headings as they are often called, letters alone. */
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

/** What each column probably is, each field once; null where its heading does not say. */
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
  // "Owner" and "Owner e-mail" may both be there: addresses first, since names tell no one apart.
  const exact = names.map((name) => take(importFields.find((field) => lettersOf(field) === lettersOf(name))));
  // What a workspace calls its own field is told apart from what people mostly call one of every contract's.
  const own = new Map(
    customFields.flatMap(({ key, name }) =>
      [columnOfKey(key), name].map((heading) => [heading, columnOfKey(key)]),
    ),
  );
  const theirs = exact.map((field, index) => field ?? take(own.get(names[index]!)));
  return theirs.map((field, index) => field ?? take(byHeading.get(lettersOf(names[index]!))));
}

/** How dates are written: as one of them tells, or else as those who use such marks mostly do. */
export function guessDateOrder(samples: string[]): DateOrder {
  const parts = samples.flatMap((sample) => {
    const [, first, mark, second] = /^(\d{1,2})([./-])(\d{1,2})[./-]\d{4}$/.exec(sample) ?? [];
    return first ? [{ first: Number(first), mark, second: Number(second) }] : [];
  });
  if (parts.length === 0) return "YMD";
  if (parts.some(({ first }) => first > 12)) return "DMY";
  return parts.some(({ mark, second }) => mark === "/" || second > 12) ? "MDY" : "DMY";
}
