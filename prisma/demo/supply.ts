/** The demo company's suppliers of parts and freight. */
import {
  approve,
  contract,
  duty,
  execute,
  negotiate,
  review,
  revise,
  type Story,
  terminate,
} from "./story.ts";

export const supplyStories: Story[] = [
  contract("Battery supply agreement – Zellwerk Aurich", "MSA", "CUSTOMER", {
    party: "zellwerk",
    owner: "sofia",
    value: ["EUR", 3_150_000],
    term: { from: -503, months: 36, renews: 12 },
    begun: -545,
    by: "sofia",
    moves: [
      review(2, "eleni"),
      negotiate(8, "sofia", "Safety stock at their site, and a price formula tied to lithium carbonate."),
      approve(31, "eleni"),
      execute(38, "sofia"),
    ],
    duties: [
      duty("PAYMENT", "Pay the quarterly capacity fee", {
        from: "EFFECTIVE_DATE",
        after: 15,
        every: 3,
        by: "erp",
        noted: -499,
        kept: { by: "sofia" },
      }),
      duty("REPORTING", "Send the rolling twelve-month forecast", {
        from: "EFFECTIVE_DATE",
        after: 1,
        unit: "MONTH",
        every: 3,
        kept: { by: "yuki", until: -25 },
        description: "Binding for the first three months. Late forecasts void the price formula.",
      }),
      duty("AUDIT", "Yearly quality audit in Aurich", {
        from: "EFFECTIVE_DATE",
        after: 8,
        unit: "MONTH",
        every: 12,
        kept: { by: "yuki" },
      }),
    ],
  }),
  contract("Amendment 2: second-life battery take-back", "AMENDMENT", "CUSTOMER", {
    party: "zellwerk",
    owner: "sofia",
    begun: -25,
    by: "sofia",
    moves: [review(2, "minjun"), negotiate(7, "minjun"), approve(19, "eleni")],
    signing: {
      sent: -4,
      by: "sofia",
      ours: "sofia",
      acts: [
        {
          on: -2,
          who: "theirs",
          does: "declines",
          reason:
            "Section 2 puts the whole cost of return shipping on us. We agreed to share it; please send it again.",
        },
      ],
    },
  }),
  contract("Service agreement – battery line calibration", "PSA", "CUSTOMER", {
    party: "zellwerk",
    owner: "yuki",
    value: ["EUR", 58_000],
    begun: -12,
    by: "yuki",
    moves: [review(3, "marcus")],
  }),
  contract("Sensor supply agreement – Óptica Duero", "MSA", "CUSTOMER", {
    party: "duero",
    owner: "sofia",
    value: ["EUR", 740_000],
    term: { endsIn: 44, months: 12, renews: 6 },
    begun: -372,
    by: "sofia",
    moves: [review(4, "minjun"), negotiate(12, "sofia"), approve(34, "eleni"), execute(41, "sofia")],
    duties: [
      duty("TERMINATION_NOTICE", "Last day to stop the renewal with Óptica Duero", {
        from: "EXPIRATION_DATE",
        before: 42,
        sourceText:
          "15.1 El contrato se prorrogará por períodos de seis meses salvo denuncia por escrito con una antelación mínima de cuarenta y dos (42) días naturales.",
      }),
      duty("MILESTONE", "Qualify the new lidar revision", {
        from: "FIXED_DATE",
        on: 6,
        description: "Sign-off by Hardware before the next purchase order is placed.",
      }),
    ],
  }),
  contract("Non-disclosure agreement – Óptica Duero", "NDA", "COUNTERPARTY", {
    party: "duero",
    owner: "minjun",
    term: { on: -452, months: 12 },
    begun: -463,
    by: "minjun",
    moves: [execute(9, "minjun")],
    duties: [
      duty("CONFIDENTIALITY", "Return or destroy their drawings", {
        from: "EXPIRATION_DATE",
        after: 30,
        done: [-64, "yuki"],
      }),
    ],
  }),
  contract("Freight framework agreement – Fjordlinje", "MSA", "CUSTOMER", {
    party: "fjordlinje",
    owner: "sofia",
    value: ["NOK", 4_200_000],
    term: { from: -470, months: 24 },
    begun: -505,
    by: "sofia",
    moves: [
      review(3, "marcus"),
      approve(17, "eleni"),
      execute(24, "sofia"),
      terminate(432, "eleni", "For cause: three late deliveries in one quarter, clause 11.2."),
    ],
    duties: [
      duty("REPORTING", "Quarterly delivery performance review", {
        from: "EFFECTIVE_DATE",
        after: 3,
        unit: "MONTH",
        every: 3,
        noted: -478,
        kept: { by: "sofia", until: -80 },
      }),
    ],
  }),
  contract("Delivery service levels – Fjordlinje", "SLA", "CUSTOMER", {
    party: "fjordlinje",
    owner: "sofia",
    term: { from: -470, months: 24 },
    begun: -500,
    by: "sofia",
    moves: [review(2, "marcus"), execute(20, "sofia"), terminate(427, "eleni", "Ends with the framework.")],
  }),
  contract("Freight framework agreement – Nordvei Transport", "MSA", "CUSTOMER", {
    party: "nordvei",
    owner: "sofia",
    value: ["NOK", 3_900_000],
    begun: -16,
    by: "sofia",
    moves: [review(4, "marcus")],
    duties: [
      duty("INSURANCE", "Obtain proof of carrier's liability insurance", {
        from: "EFFECTIVE_DATE",
        before: 5,
        unit: "BUSINESS_DAY",
        noted: -11,
      }),
    ],
  }),
  contract("Professional services: ERP integration for spare parts", "PSA", "CUSTOMER", {
    party: "nimbleforge",
    owner: "yuki",
    value: ["EUR", 112_000],
    term: { from: -140, months: 8 },
    begun: -171,
    by: "yuki",
    moves: [
      review(4, "marcus"),
      negotiate(11, "yuki"),
      revise(20, "yuki", { value: ["EUR", 104_500] }),
      approve(24, "eleni"),
      execute(29, "yuki"),
    ],
    duties: [
      duty("MILESTONE", "Accept the integration in the test environment", { from: "FIXED_DATE", on: -4 }),
      duty("PAYMENT", "Pay on final acceptance", {
        from: "EVENT",
        description: "Forty percent of the fixed price, within thirty days of acceptance.",
      }),
    ],
  }),
];
