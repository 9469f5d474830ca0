/** What the demo company buys: software, hosting, advice. */
import { approve, contract, duty, execute, negotiate, review, revise, type Story } from "./story.ts";

export const vendorStories: Story[] = [
  contract("Cloud hosting agreement – Nimbleforge", "SAAS", "CUSTOMER", {
    party: "nimbleforge",
    owner: "sofia",
    value: ["USD", 312_000],
    term: { endsIn: 34, months: 12, renews: 12 },
    begun: -398,
    by: "sofia",
    moves: [
      review(5, "marcus"),
      negotiate(13, "sofia", "Asked for exit assistance and a lower overage rate."),
      revise(24, "sofia", { value: ["USD", 298_800] }),
      approve(31, "eleni"),
      execute(36, "sofia"),
    ],
    duties: [
      duty("RENEWAL_NOTICE", "Last day to give notice of non-renewal", {
        from: "EXPIRATION_DATE",
        before: 30,
        by: "assistant",
        accepted: [-350, "sofia"],
        sourceText:
          "12.1 The Subscription Term will automatically renew for additional one-year periods unless either party gives the other notice of non-renewal at least thirty (30) days before the end of the relevant Subscription Term.",
      }),
      duty("PAYMENT", "Pay the quarterly hosting fee", {
        from: "EFFECTIVE_DATE",
        after: 30,
        every: 3,
        by: "erp",
        kept: { by: "sofia" },
      }),
      duty("PRICE_CHANGE", "Check the announced price increase", {
        from: "RENEWAL_DATE",
        before: 14,
        by: "assistant",
        noted: -20,
        sourceText:
          "6.3 Nimbleforge may increase the Fees effective as of the start of each renewal term by an amount not exceeding seven percent (7%).",
      }),
    ],
  }),
  contract("Data processing agreement – Nimbleforge", "DPA", "CUSTOMER", {
    party: "nimbleforge",
    owner: "marcus",
    term: { on: -360 },
    begun: -385,
    by: "marcus",
    moves: [review(4, "eleni"), execute(22, "marcus")],
    duties: [
      duty("AUDIT", "Review the sub-processor list", {
        from: "EFFECTIVE_DATE",
        after: 6,
        unit: "MONTH",
        every: 6,
        kept: { by: "marcus" },
      }),
      duty("AUDIT", "Obtain the yearly independent audit report", {
        from: "EFFECTIVE_DATE",
        after: 12,
        unit: "MONTH",
        every: 12,
      }),
    ],
  }),
  contract("Order form: dedicated region for fleet telemetry", "ORDER_FORM", "CUSTOMER", {
    party: "nimbleforge",
    owner: "sofia",
    value: ["USD", 84_000],
    begun: -18,
    by: "sofia",
    moves: [review(2, "marcus"), negotiate(8, "sofia", "Waiting for their answer on data residency.")],
  }),
  contract("HR platform subscription – Quillon", "SAAS", "CUSTOMER", {
    party: "quillon",
    owner: "amara",
    value: ["GBP", 46_200],
    term: { endsIn: 63, months: 24, renews: 12 },
    signed: -676,
    begun: -541,
    by: "amara",
    moves: [execute(1, "amara", "Signed before this workspace was set up.")],
    duties: [
      duty("RENEWAL_NOTICE", "Decide whether to keep the HR platform", {
        from: "EXPIRATION_DATE",
        before: 60,
        description: "Sixty days' notice. Two alternatives are being evaluated by People Operations.",
      }),
      duty("PAYMENT", "Pay the annual subscription", {
        from: "FIXED_DATE",
        on: -310,
        every: 12,
        by: "erp",
        noted: -495,
        kept: { by: "sofia" },
      }),
    ],
  }),
  contract("Data processing agreement – Quillon", "DPA", "CUSTOMER", {
    party: "quillon",
    owner: "marcus",
    term: { on: -660 },
    signed: -660,
    begun: -541,
    by: "marcus",
    moves: [execute(1, "marcus", "Signed before this workspace was set up.")],
    duties: [
      duty("DATA_RETENTION", "Ask for deletion of former employees' records", {
        from: "FIXED_DATE",
        on: -15,
        every: 6,
        by: "assistant",
        noted: -130,
        accepted: [-128, "amara"],
        sourceText:
          "9.2 Controller shall instruct Processor at least twice per calendar year as to the erasure of personal data of data subjects whose employment has ended.",
      }),
    ],
  }),
  contract("Engagement letter – export control advice", "OTHER", "CUSTOMER", {
    party: "harrow",
    owner: "eleni",
    value: ["GBP", 60_000],
    term: { from: -232, months: 12 },
    begun: -252,
    by: "eleni",
    moves: [approve(4, "eleni"), execute(9, "eleni")],
    duties: [
      duty("COMPLIANCE", "Reclassify the AT-40 for export after the sensor change", {
        from: "FIXED_DATE",
        on: 4,
      }),
      duty("PAYMENT", "Pay the quarterly retainer", {
        from: "EFFECTIVE_DATE",
        after: 0,
        every: 3,
        by: "erp",
        kept: { by: "sofia" },
      }),
    ],
  }),
  contract("Framework agreement for security testing", "PSA", "CUSTOMER", {
    party: "redpoll",
    owner: "marcus",
    value: ["GBP", 120_000],
    term: { from: -410, months: 24 },
    begun: -446,
    by: "marcus",
    moves: [review(2, "minjun"), negotiate(9, "marcus"), approve(26, "eleni"), execute(33, "marcus")],
    duties: [
      duty("AUDIT", "Retest of the findings rated high", {
        from: "FIXED_DATE",
        on: -120,
        done: [-117, "yuki"],
      }),
    ],
  }),
  contract("SOW: penetration test of the fleet manager", "SOW", "CUSTOMER", {
    party: "redpoll",
    owner: "yuki",
    value: ["GBP", 38_500],
    term: { on: 12, months: 2 },
    begun: -29,
    by: "yuki",
    moves: [review(2, "marcus"), approve(11, "marcus"), execute(21, "yuki")],
    duties: [
      duty("DELIVERABLE", "Provide test accounts and a staging fleet", {
        from: "EFFECTIVE_DATE",
        before: 5,
        unit: "BUSINESS_DAY",
      }),
      duty("REPORTING", "Receive the final test report", {
        from: "EXPIRATION_DATE",
        before: 1,
        unit: "WEEK",
      }),
    ],
  }),
  contract("Insurance brokerage mandate", "OTHER", "CUSTOMER", {
    party: "castellan",
    owner: "sofia",
    term: { endsIn: 84, months: 12, renews: 12 },
    begun: -300,
    by: "sofia",
    moves: [review(3, "marcus"), approve(10, "eleni"), execute(15, "sofia")],
    duties: [
      duty("INSURANCE", "Send the exposure data for the renewal round", {
        from: "EXPIRATION_DATE",
        before: 90,
        done: [-11, "sofia"],
      }),
      duty("INSURANCE", "Renew product liability cover", {
        from: "EXPIRATION_DATE",
        before: 14,
        description: "Limit of EUR 10 million; Calloway & Venn requires the certificate in their wording.",
      }),
    ],
  }),
];
