/** Texts of signers' pages, such as the labels of fields to which the sender gave no name. */
import type { CeremonyState, OwnField } from "#lib/doors/sign-client.ts";
import type { FieldType } from "#lib/signatures/lifecycle.ts";

export const fieldNames: Record<FieldType, string> = {
  SIGNATURE: "Signature",
  INITIALS: "Initials",
  NAME: "Your name",
  EMAIL: "Your e-mail address",
  TITLE: "Your job title",
  COMPANY: "Your company",
  DATE_SIGNED: "Date of signing",
  TEXT: "Text",
  NUMBER: "Number",
  DATE: "Date",
  CHECKBOX: "Checkbox",
  DROPDOWN: "Dropdown",
};

export const nameOf = ({ label, type }: Pick<OwnField, "label" | "type">): string =>
  label || fieldNames[type];

/** Returns a field's control, in whichever view is shown. */
export const controlOf = (fieldId: string): HTMLElement | null =>
  document.querySelector(`[data-field="${fieldId}"]`);

/** Returns the attributes of a field's input, which determine a phone's keyboard and autofill. */
export function inputOf({ type }: Pick<OwnField, "type">) {
  if (type === "DATE") return { type: "date", max: "9999-12-31" };
  if (type === "NUMBER") return { type: "text", inputMode: "decimal" as const, maxLength: 30 };
  const autoComplete = { TITLE: "organization-title", COMPANY: "organization" }[type as "TITLE"];
  return { type: "text", maxLength: 500, autoComplete: autoComplete ?? "off" };
}

/** Joins names, such as `Ann, Ben, and Cleo`. */
export const joinNames = (names: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(names);

/** Returns the names of the others whose turn it is to sign. */
export const pendingSigners = ({ people }: Pick<CeremonyState, "people">): string[] =>
  people.filter(({ isOnTurn, isYou }) => isOnTurn && !isYou).map(({ name }) => name);
