import {
  addressed,
  addresses,
  between,
  type DemoTemplate,
  dated,
  effectiveDate,
  governingLaw,
  section,
  them,
  us,
  variable,
} from "./words.ts";

export const statementOfWork: DemoTemplate = {
  fileName: "statement-of-work.docx",
  title: "Statement of work",
  settings: {
    name: "Statement of work",
    description:
      "One project: what is delivered, by when, for how much. Under a services agreement, or on its own.",
    contractType: "SOW",
    ourRole: "VENDOR",
    titlePattern: "{project} – statement of work for {counterparty.name}",
    variables: [
      us,
      them,
      ...addresses,
      effectiveDate,
      variable("project", "Name of the project", "text", { helpText: "Appears in the contract's title" }),
      variable("services", "Services", "textarea", {
        helpText: "What we do. One line for each, if there are several",
      }),
      variable("deliverables", "Deliverables", "textarea", {
        helpText: "What we hand over. One line for each",
      }),
      variable("completion_date", "Completion date", "date", {
        required: false,
        binding: "contract.expiresAt",
      }),
      variable("our_lead", "Our project lead", "text", { binding: "owner.name" }),
      variable("their_lead", "Their project lead", "text", {
        binding: "contact.name",
        defaultValue: "to be named by the Customer within five Business Days",
      }),
      variable("fee", "Fixed fee", "currency", {
        binding: "contract.value",
        gates: [{ tag: "fixed_fee", whenOn: true }],
      }),
      variable("day_rate", "Rate for a day", "currency", {
        gates: [{ tag: "time_and_materials", whenOn: true }],
      }),
      variable("day_cap", "Days at most", "number", { gates: [{ tag: "time_and_materials", whenOn: true }] }),
      variable("msa_date", "Date of the services agreement", "date", {
        gates: [{ tag: "under_msa", whenOn: true }],
      }),
      { ...governingLaw, gates: [{ tag: "under_msa", whenOn: false }] },
    ],
    sections: [
      dated,
      ...addressed,
      section("under_msa", "Under a services agreement", {
        helpText: "Off: the statement of work brings its own terms on liability, rights and law.",
      }),
      section("milestone_dated", "A completion date is stated", {
        control: "rule",
        rule: { variable: "completion_date", op: "isSet", value: true },
      }),
      section("fixed_fee", "Fixed fee", {
        groupId: "charges",
        helpText: "Half at the start, half on acceptance",
      }),
      section("time_and_materials", "Time and materials", {
        groupId: "charges",
        helpText: "By the day, capped",
      }),
      section("expenses", "Travel expenses are charged"),
    ],
    sectionGroups: [
      {
        id: "charges",
        label: "Charges",
        helpText: "How the work is paid for",
        required: true,
        defaultTag: "fixed_fee",
      },
    ],
    obligations: [
      {
        ...{ kind: "DELIVERABLE", title: "Hand over the deliverables", anchorType: "EXPIRATION_DATE" },
        ...{ offsetValue: 0, offsetUnit: "DAY", offsetDirection: "BEFORE", section: "milestone_dated" },
      },
      {
        ...{ kind: "PAYMENT", title: "Invoice the first half of the fee", anchorType: "EFFECTIVE_DATE" },
        ...{ offsetValue: 5, offsetUnit: "BUSINESS_DAY", offsetDirection: "AFTER", section: "fixed_fee" },
      },
    ],
  },
  text: `
${between("Supplier", "Customer")}
{#under_msa}
It is made under, and is part of, the services agreement between the parties dated **{msa_date}** (the **Services Agreement**). Words defined there mean the same here. If the two contradict each other, the Services Agreement prevails unless this statement of work says expressly which of its provisions it changes.
{/under_msa}

# Project
- The project is **{project}**. It is led for the Supplier by {our_lead} and for the Customer by {their_lead}, who may take day-to-day decisions but may not change this statement of work.
- **Business Day** means a day other than a Saturday, a Sunday or a public holiday at the Supplier's place of business.

# Services and deliverables
- The Supplier will perform the following services (the **Services**) with reasonable skill and care:
> {services}
- The Supplier will hand over the following (the **Deliverables**):
> {deliverables}
- Anything not listed is outside the scope and is added only as the clause headed “Changes” says.

# Time
{#milestone_dated}
- The Supplier will hand over the Deliverables by **{completion_date}**.
{/milestone_dated}
{^milestone_dated}
- The parties' project leads will agree a timetable in writing within ten Business Days from the Effective Date. The Supplier will keep to it.
{/milestone_dated}
- The Supplier must say without undue delay when it sees that a date will not be met, and why. Dates move by as long as the Customer is late with what it owes under the clause headed “What the Customer does”.

# What the Customer does
- The Customer will, in time and without charge:
-- give the information, decisions and access that the Services reasonably need;
-- make the people available who know the subject; and
-- tell the Supplier about the rules of safety and security that apply on its premises and systems.

# Charges and payment
{#fixed_fee}
- The fee for the Services and Deliverables is **{fee}**, fixed. Half of it is invoiced on the Effective Date and half on acceptance of the last Deliverable.
{/fixed_fee}
{#time_and_materials}
- The Services are charged at **{day_rate}** for each person and day of eight hours, parts of days in proportion, up to **{day_cap} days**. Beyond those the Supplier need not work, and the Customer need not pay, until both agree in writing. The Supplier invoices monthly, with a record of the time.
{/time_and_materials}
{#expenses}
- Reasonable costs of travel and accommodation that the Customer approved beforehand are charged at cost, with receipts.
{/expenses}
- All amounts are without value added tax or other sales taxes, which the Customer pays in addition where they apply. Invoices are payable within thirty days.

# Acceptance
- Within ten Business Days after a Deliverable is handed over, the Customer will either accept it in writing or say in writing, with reasons, in what material respect it does not conform to this statement of work. It is accepted when that period ends without either, or when the Customer puts it to productive use.
- The Supplier will put right what does not conform and hand it over again. If a Deliverable fails a second time, the Customer may demand another attempt, or reject the Deliverable and have the fee reduced by its share.

# Changes
- Either party may propose a change. The Supplier will state what it means for time and charges, and the change takes effect when both parties have signed it.

{^under_msa}
# Rights in the Deliverables
- On payment in full, the Supplier assigns to the Customer all intellectual property rights in the Deliverables, except in what the Supplier had before or develops independently (**Background Materials**). For Background Materials that are part of a Deliverable, the Customer has a perpetual, worldwide, non-exclusive licence, without further charge, to use them as part of it.

# Confidentiality
- Each party keeps the other's confidential information secret, uses it for the project only and discloses it only to those of its staff and advisers who need it and are bound to secrecy, during the project and for three years after it.

# Liability
- Neither party limits or excludes its liability for death or personal injury caused by negligence, for fraud, or for anything for which liability cannot be limited by law.
- Subject to that, neither party is liable for loss of profit or for indirect loss, and the total liability of each party arising from this statement of work is limited to the charges paid and payable under it. The limit does not apply to the duty to pay the charges.

# Ending the project early
- Either party may end this statement of work by written notice if the other commits a material breach and does not put it right within thirty days after being asked to in writing, or becomes insolvent. The Customer pays for the Services performed until then.

# General
- This is the whole agreement of the parties about the project. It can be changed only in writing signed by both. Neither may assign it without the other's written consent. It may be signed in counterparts and by electronic signature.
- It is governed by the law of {governing_law}, whose courts have exclusive jurisdiction.
{/under_msa}

SIGN {organization.name} | {counterparty.name}
`,
};
