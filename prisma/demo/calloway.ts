/** The demo company's largest customer, with all the kinds of contract that such an account has. */
import { approve, contract, duty, execute, negotiate, review, revise, type Story } from "./story.ts";

export const callowayStories: Story[] = [
  contract("Master services agreement – Calloway & Venn Logistics", "MSA", "VENDOR", {
    drawn: {
      from: "servicesAgreement",
      variables: {
        governing_law: "the State of Delaware",
        their_address: "400 Poplar Avenue, Memphis, Tennessee",
      },
      sections: { insurance: true, cap_fees: true, non_solicitation: true },
    },
    party: "calloway",
    owner: "minjun",
    value: ["USD", 2_400_000],
    term: { from: -455, months: 36, renews: 12 },
    begun: -528,
    by: "tomasz",
    moves: [
      review(2, "minjun"),
      negotiate(11, "minjun", "First redlines received: liability cap and service credits."),
      revise(38, "tomasz", { value: ["USD", 2_280_000] }),
      approve(58, "eleni", "Cap raised to twelve months' fees, as agreed with finance."),
      execute(67, "tomasz"),
    ],
    duties: [
      duty("REPORTING", "Quarterly service review with Calloway & Venn", {
        from: "EFFECTIVE_DATE",
        after: 3,
        unit: "MONTH",
        every: 3,
        kept: { by: "tomasz" },
        description: "Availability, incidents and open actions; minutes go to Renata Castellanos.",
      }),
      duty("INSURANCE", "Send renewed certificates of insurance", {
        from: "EFFECTIVE_DATE",
        after: 1,
        unit: "YEAR",
        every: 12,
        kept: { by: "sofia" },
      }),
    ],
  }),
  contract("SOW 1: Memphis distribution center rollout", "SOW", "VENDOR", {
    drawn: {
      from: "statementOfWork",
      variables: {
        project: "Memphis distribution center rollout",
        services:
          "Survey of the site and layout of the traffic lanes\nInstallation and commissioning of 42 transport robots\nTraining of operators in two languages",
        deliverables:
          "Fleet in operation in phases 1 and 2\nOperator training materials in English and Spanish\nMaintenance plan for the first year",
        msa_date: "2025-06-30",
      },
      sections: { under_msa: true, expenses: true },
    },
    party: "calloway",
    owner: "tomasz",
    value: ["USD", 1_150_000],
    term: { from: -420, months: 18 },
    begun: -462,
    by: "tomasz",
    moves: [review(3, "minjun"), approve(19, "eleni"), execute(26, "tomasz")],
    duties: [
      duty("MILESTONE", "Site acceptance test, phase 1", {
        from: "FIXED_DATE",
        on: -310,
        done: [-312, "yuki"],
      }),
      duty("MILESTONE", "Site acceptance test, phase 2", {
        from: "FIXED_DATE",
        on: -96,
        done: [-91, "yuki"],
      }),
      duty("DELIVERABLE", "Hand over operator training materials", {
        from: "FIXED_DATE",
        on: -6,
        description: "English and Spanish, in the format agreed in Annex C.",
      }),
      duty("PAYMENT", "Invoice the final milestone", {
        from: "EVENT",
        description: "Thirty percent of the fixed price, on the customer's final acceptance.",
      }),
    ],
  }),
  contract("SOW 2: Savannah cross-dock", "SOW", "VENDOR", {
    drawn: {
      from: "statementOfWork",
      variables: {
        project: "Savannah cross-dock",
        services: "Simulation of the cross-dock's traffic\nInstallation of 18 transport robots",
        deliverables: "Simulation report\nFleet in operation",
        msa_date: "2025-06-30",
        day_rate: "USD 1800",
        day_cap: "120",
      },
      sections: { under_msa: true, time_and_materials: true },
    },
    party: "calloway",
    owner: "tomasz",
    value: ["USD", 640_000],
    begun: -34,
    by: "tomasz",
    moves: [
      review(2, "minjun"),
      negotiate(9, "minjun", "Customer asks for liquidated damages on late commissioning."),
      revise(25, "tomasz", { value: ["USD", 655_000] }),
    ],
  }),
  contract("Service levels for the Memphis fleet", "SLA", "VENDOR", {
    party: "calloway",
    owner: "yuki",
    term: { from: -398, months: 12, renews: 12 },
    begun: -430,
    by: "yuki",
    moves: [review(4, "minjun"), execute(22, "yuki", "Signed as an annex to SOW 1.")],
    duties: [
      duty("REPORTING", "Monthly availability report", {
        from: "EFFECTIVE_DATE",
        after: 1,
        unit: "MONTH",
        every: 1,
        kept: { by: "yuki" },
      }),
    ],
  }),
  contract("Amendment 1: revised price schedule", "AMENDMENT", "VENDOR", {
    party: "calloway",
    owner: "minjun",
    value: ["USD", 180_000],
    begun: -26,
    by: "minjun",
    moves: [
      review(1, "marcus"),
      negotiate(6, "minjun"),
      approve(20, "eleni", "Indexation limited to three percent."),
    ],
    signing: {
      sent: -2,
      by: "minjun",
      ours: "marcus",
      message: "The revised price schedule, with indexation limited to three percent.",
      acts: [{ on: -1, who: "theirs", does: "opens" }],
    },
    duties: [
      duty("PRICE_CHANGE", "Apply the new price schedule", {
        from: "EXECUTION_DATE",
        after: 30,
        description: "Update the rate card in the ERP once the amendment is signed.",
      }),
    ],
  }),
];
