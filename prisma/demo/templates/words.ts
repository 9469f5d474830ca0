/** Settings shared by several of the demo's templates. */
import type { PartialSettings } from "#lib/templates/schema.ts";

type Variable = NonNullable<PartialSettings["variables"]>[number];
type Section = NonNullable<PartialSettings["sections"]>[number];

/** The source of a demo template. */
export interface DemoTemplate {
  fileName: string;
  title: string;
  text: string;
  settings: PartialSettings;
}

export const variable = (
  key: string,
  label: string,
  type: Variable["type"],
  more: Partial<Variable> = {},
): Variable => ({
  ...{ key, label, type, required: true, options: [], binding: null, defaultValue: null, helpText: null },
  gates: [],
  ...more,
});

export const section = (tag: string, label: string, more: Partial<Section> = {}): Section => ({
  ...{
    tag,
    label,
    helpText: null,
    groupId: null,
    defaultOn: false,
    control: "rep",
    repCanOverrideRule: false,
  },
  ...{ rule: null, gates: [] },
  ...more,
});

/** A section that is included if, and only if, a variable has a value. */
export const whenGiven = (tag: string, label: string, key: string): Section =>
  section(tag, label, { control: "rule", rule: { variable: key, op: "isSet", value: true } });

export const us = variable("organization.name", "Our name", "text", { binding: "organization.name" });
export const them = variable("counterparty.name", "Their name", "text", { binding: "counterparty.name" });

export const addresses: Variable[] = [
  variable("our_address", "Our registered office", "text", { required: false }),
  variable("their_address", "Their registered office", "text", { required: false }),
];

export const addressed: Section[] = [
  whenGiven("our_address_given", "Our registered office is stated", "our_address"),
  whenGiven("their_address_given", "Their registered office is stated", "their_address"),
];

export const effectiveDate = variable("effective_date", "Effective date", "date", {
  required: false,
  binding: "contract.effectiveDate",
  helpText: "Without one, the agreement begins when the last party signs",
});

export const dated = whenGiven("dated", "An effective date is stated", "effective_date");

export const governingLaw = variable("governing_law", "Governing law and courts", "select", {
  options: [
    "England and Wales",
    "Ireland",
    "the State of New York",
    "the State of Delaware",
    "Germany",
    "the Netherlands",
  ],
  defaultValue: "England and Wales",
});

const place = (who: string) =>
  `{#${who}_address_given}, whose registered office is at {${who}_address}{/${who}_address_given}`;

/** The opening of an agreement: its effective date and its parties, with the names that it uses for them. */
export const between = (ourName: string, theirName: string) => `
This agreement is made {#dated}with effect from **{effective_date}**{/dated}{^dated}on the date on which the last party signs it{/dated} (the **Effective Date**) between:
| ${ourName} | **{organization.name}**${place("our")} |
| ${theirName} | **{counterparty.name}**${place("their")} |
`;
