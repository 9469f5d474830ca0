import { servicesClauses } from "./services-clauses.ts";
import {
  addressed,
  addresses,
  type DemoTemplate,
  dated,
  effectiveDate,
  governingLaw,
  section,
  them,
  us,
  variable,
} from "./words.ts";

export const servicesAgreement: DemoTemplate = {
  fileName: "services-agreement.docx",
  title: "Master services agreement",
  settings: {
    name: "Services agreement (MSA)",
    description:
      "The terms for all our services to one customer; each project has its own statement of work.",
    contractType: "MSA",
    ourRole: "VENDOR",
    titlePattern: "Services agreement – {counterparty.name}",
    variables: [
      us,
      them,
      ...addresses,
      effectiveDate,
      variable("initial_term", "Initial term in months", "number", {
        binding: "contract.termMonths",
        defaultValue: "24",
      }),
      variable("renewal_term", "Renewal in months", "number", {
        binding: "contract.renewalMonths",
        defaultValue: "12",
        gates: [{ tag: "auto_renewal", whenOn: true }],
      }),
      variable("notice_days", "Days of notice against renewal", "number", {
        defaultValue: "60",
        gates: [{ tag: "auto_renewal", whenOn: true }],
      }),
      variable("payment_days", "Days to pay an invoice", "number", { defaultValue: "30" }),
      variable("late_rate", "Interest on late payment, percent a year", "number", {
        defaultValue: "8",
        gates: [{ tag: "late_payment", whenOn: true }],
      }),
      variable("cap_amount", "Cap of liability", "currency", {
        helpText: "The highest total that either side owes",
        gates: [{ tag: "cap_fixed", whenOn: true }],
      }),
      variable("cap_percent", "Cap in percent of a year's charges", "number", {
        defaultValue: "100",
        gates: [{ tag: "cap_fees", whenOn: true }],
      }),
      variable("supercap_percent", "Higher cap for data and secrecy, percent", "number", {
        defaultValue: "200",
        gates: [{ tag: "cap_two_tier", whenOn: true }],
      }),
      variable("insured_amount", "Insured amount for each claim", "currency", {
        defaultValue: "2000000",
        gates: [{ tag: "insurance", whenOn: true }],
      }),
      variable("non_solicitation_months", "Months without solicitation", "number", {
        defaultValue: "12",
        gates: [{ tag: "non_solicitation", whenOn: true }],
      }),
      governingLaw,
    ],
    sections: [
      dated,
      ...addressed,
      section("auto_renewal", "Renews automatically", {
        control: "rule",
        rule: { binding: "contract.autoRenews", op: "equals", value: true },
        repCanOverrideRule: true,
        helpText: "Follows the contract's own “renews automatically”, unless chosen here",
      }),
      section("late_payment", "Interest on late payment", { defaultOn: true }),
      section("suspension", "We may suspend for unpaid invoices"),
      section("personal_data", "Personal data is processed on behalf", {
        helpText: "Makes a data processing agreement a condition. Use the DPA template beside this one.",
      }),
      section("cap_fees", "Capped at a year's charges", {
        groupId: "liability",
        helpText: "Our usual position",
      }),
      section("cap_fixed", "Capped at a fixed amount", { groupId: "liability" }),
      section("cap_two_tier", "A year's charges, more for data and secrecy", {
        groupId: "liability",
        helpText: "Where the customer insists. Legal has to agree.",
      }),
      section("insurance", "Insurance is promised"),
      section("non_solicitation", "No solicitation of staff"),
      section("publicity", "We may name the customer"),
      section("escalation", "Managers talk before the courts do", { defaultOn: true }),
    ],
    sectionGroups: [
      {
        ...{ id: "liability", label: "Limit of liability", required: true, defaultTag: "cap_fees" },
        helpText: "Exactly one way to limit liability",
      },
    ],
    obligations: [
      {
        ...{ kind: "RENEWAL_NOTICE", title: "Last day to give notice against renewal" },
        ...{ anchorType: "EXPIRATION_DATE", offsetValue: 60, offsetUnit: "DAY", offsetDirection: "BEFORE" },
        section: "auto_renewal",
      },
      {
        ...{ kind: "INSURANCE", title: "Send the insurance certificate", anchorType: "EFFECTIVE_DATE" },
        ...{ offsetValue: 12, offsetUnit: "MONTH", offsetDirection: "AFTER", recurrenceMonths: 12 },
        section: "insurance",
      },
    ],
  },
  text: servicesClauses,
};
