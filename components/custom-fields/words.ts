/** Custom fields as people read of them. */
import type { CustomFieldType } from "#lib/custom-fields/catalogue.ts";

export const typeWords: Record<CustomFieldType, string> = {
  text: "Text",
  number: "Number",
  date: "Date",
  choice: "Choice",
  member: "Member",
};

/** A number's digits in groups; as text, since a number of the browser's would lose some. */
export function numberWords(value: string): string {
  const [whole = "", decimals] = value.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** A key that a name suggests: `Cost centre (EU)` as `cost-centre-eu`. Empty where it has no Latin letter to begin with. */
export function keyFrom(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[-0-9]+/, "")
    .slice(0, 40)
    .replace(/-+$/, "");
}
