/** Labels and texts for custom fields. */
import type { CustomFieldType } from "#lib/custom-fields/catalogue.ts";

export const typeWords: Record<CustomFieldType, string> = {
  text: "Text",
  number: "Number",
  date: "Date",
  choice: "Choice",
  member: "Member",
};

/** Groups a number's digits. Works on text, because a JavaScript number would lose some of them. */
export function numberWords(value: string): string {
  const [whole = "", decimals] = value.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** Derives a key: `cost-center-eu` from `Cost center (EU)`. Empty if the name has no Latin letter. */
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
