/** The demo's smaller customers and its prospects. */
import { approve, contract, duty, execute, negotiate, review, revise, type Story } from "./story.ts";

export const accountStories: Story[] = [
  contract("Master services agreement – Tallgrass Regional Health", "MSA", "VENDOR", {
    drawn: {
      from: "servicesAgreement",
      variables: { governing_law: "the State of Delaware" },
      sections: { cap_two_tier: true, personal_data: true, insurance: true },
    },
    party: "tallgrass",
    owner: "marcus",
    value: ["USD", 875_000],
    term: { from: -290, months: 36 },
    begun: -371,
    by: "tomasz",
    moves: [
      review(6, "marcus"),
      negotiate(20, "marcus", "Indemnity for data incidents is tied to the business associate agreement."),
      approve(63, "eleni"),
      execute(75, "marcus"),
    ],
    duties: [
      duty("PAYMENT", "Invoice the quarterly subscription", {
        from: "EFFECTIVE_DATE",
        after: 0,
        every: 3,
        by: "erp",
        kept: { by: "tomasz" },
      }),
      duty("COMPLIANCE", "Renew the security questionnaire", {
        from: "EFFECTIVE_DATE",
        after: 12,
        unit: "MONTH",
        every: 12,
      }),
    ],
  }),
  contract("Business associate agreement – Tallgrass", "BAA", "VENDOR", {
    party: "tallgrass",
    owner: "marcus",
    term: { from: -290, months: 36 },
    begun: -340,
    by: "marcus",
    moves: [review(2, "eleni"), approve(24, "eleni"), execute(44, "marcus")],
    duties: [
      duty("COMPLIANCE", "Annual HIPAA risk assessment", {
        from: "EFFECTIVE_DATE",
        after: 9,
        unit: "MONTH",
        every: 12,
        kept: { by: "marcus", until: -200 },
        sourceText:
          "4(d) Business Associate shall conduct an accurate and thorough assessment of the potential risks to electronic protected health information no less than annually and provide a summary upon request.",
      }),
      duty("DATA_RETENTION", "Return or destroy protected health information", {
        from: "EXPIRATION_DATE",
        after: 30,
      }),
    ],
  }),
  contract("Fleet software license – Verhoeven", "LICENSE", "VENDOR", {
    party: "verhoeven",
    owner: "tomasz",
    value: ["EUR", 138_000],
    term: { endsIn: 22, months: 12, renews: 12 },
    begun: -391,
    by: "tomasz",
    moves: [review(3, "minjun"), negotiate(10, "minjun"), approve(27, "marcus"), execute(33, "tomasz")],
    duties: [
      duty("RENEWAL", "Issue the renewal invoice", { from: "RENEWAL_DATE", after: 5, unit: "BUSINESS_DAY" }),
      duty("RENEWAL_NOTICE", "Remind Verhoeven of the coming renewal", {
        from: "EXPIRATION_DATE",
        before: 30,
        done: [-9, "tomasz"],
      }),
    ],
  }),
  contract("Order form: four additional tuggers, Aalsmeer", "ORDER_FORM", "VENDOR", {
    party: "verhoeven",
    owner: "tomasz",
    value: ["EUR", 96_400],
    begun: -2,
    by: "tomasz",
  }),
  contract("Mutual non-disclosure agreement – Sahyadri Pharma", "NDA", "COUNTERPARTY", {
    drawn: {
      from: "mutualNda",
      variables: { purpose: "planning a fulfilment center in Pune" },
      sections: { personal_data: true },
    },
    party: "sahyadri",
    owner: "minjun",
    term: { on: -151, months: 24 },
    begun: -160,
    by: "tomasz",
    moves: [review(1, "minjun"), execute(8, "minjun")],
    duties: [
      duty("CONFIDENTIALITY", "Confidentiality ends; check what must be returned", {
        from: "EXPIRATION_DATE",
        after: 3,
        unit: "YEAR",
      }),
    ],
  }),
  contract("Letter of intent: Pune fulfilment center", "LOI", "VENDOR", {
    party: "sahyadri",
    owner: "tomasz",
    value: ["INR", 64_000_000],
    begun: -51,
    by: "tomasz",
    moves: [
      review(4, "minjun"),
      negotiate(12, "minjun"),
      revise(30, "tomasz", { value: ["INR", 61_500_000] }),
      approve(46, "eleni", "Non-binding except exclusivity and confidentiality."),
    ],
    signing: {
      sent: -3,
      by: "tomasz",
      ours: "eleni",
      acts: [{ on: -2, who: "theirs", does: "signs", as: "Chief Operating Officer" }],
    },
    duties: [
      duty("OTHER", "Exclusivity period ends", {
        from: "EXECUTION_DATE",
        after: 90,
        by: "assistant",
        noted: -50,
        sourceText:
          "5. For a period of ninety (90) days following signature, Sahyadri shall not negotiate with any other supplier of autonomous mobile robots for the Pune site.",
      }),
    ],
  }),
  contract("Pilot: night replenishment in Cork", "PILOT", "VENDOR", {
    party: "larkfield",
    owner: "minjun",
    value: ["EUR", 54_000],
    term: { endsIn: 52, months: 6 },
    begun: -176,
    by: "tomasz",
    moves: [review(3, "minjun"), approve(21, "eleni"), execute(29, "minjun")],
    duties: [
      duty("MILESTONE", "Mid-pilot review with the members' board", {
        from: "FIXED_DATE",
        on: -41,
        done: [-40, "minjun"],
      }),
      duty("REPORTING", "Send the pilot results and a commercial offer", {
        from: "EXPIRATION_DATE",
        before: 20,
        unit: "BUSINESS_DAY",
      }),
    ],
  }),
  contract("Mutual non-disclosure agreement – Larkfield", "NDA", "COUNTERPARTY", {
    drawn: { from: "mutualNda" },
    party: "larkfield",
    owner: "minjun",
    term: { on: -201, months: 36 },
    begun: -212,
    by: "minjun",
    moves: [execute(10, "minjun")],
  }),
  contract("Master services agreement – Larkfield Grocers", "MSA", "VENDOR", {
    drawn: { from: "servicesAgreement", sections: { suspension: true } },
    party: "larkfield",
    owner: "minjun",
    value: ["EUR", 320_000],
    begun: -1,
    by: "minjun",
  }),
  contract("Pilot: library stack retrieval", "PILOT", "VENDOR", {
    party: "aldermere",
    owner: "marcus",
    value: ["USD", 72_000],
    begun: -39,
    by: "tomasz",
    moves: [
      review(3, "marcus"),
      negotiate(16, "marcus", "Public works asks for its standard indemnity and open-records clauses."),
    ],
    duties: [
      duty("INSURANCE", "Name the city as additional insured", {
        from: "EFFECTIVE_DATE",
        before: 10,
        unit: "BUSINESS_DAY",
        by: "assistant",
        noted: -35,
        sourceText:
          "Contractor shall, not later than ten (10) business days before commencement, furnish certificates naming the City as additional insured.",
      }),
    ],
  }),
];
