/** What the demo company sells: the contracts of its larger customers. */
import { callowayStories } from "./calloway.ts";
import { approve, cancel, contract, duty, execute, negotiate, review, revise, type Story } from "./story.ts";

export const customerStories: Story[] = [
  ...callowayStories,
  contract("Rámcová smlouva o dodávkách (framework supply agreement)", "MSA", "VENDOR", {
    party: "moravia",
    owner: "minjun",
    value: ["EUR", 960_000],
    term: { from: -366, months: 24, renews: 12 },
    begun: -433,
    by: "minjun",
    moves: [
      review(5, "marcus"),
      negotiate(14, "minjun", "Governing law: Czech law, courts of Brno."),
      approve(49, "eleni"),
      execute(62, "tomasz"),
    ],
    duties: [
      duty("TERMINATION_NOTICE", "Last day to object to renewal", {
        from: "EXPIRATION_DATE",
        before: 6,
        unit: "MONTH",
      }),
      duty("PRICE_CHANGE", "Announce next year's price list", {
        from: "EFFECTIVE_DATE",
        after: 10,
        unit: "MONTH",
        every: 12,
        kept: { by: "tomasz" },
        sourceText:
          "7.4 The Supplier may adjust list prices once per contract year by written notice given no later than two months before the adjustment takes effect.",
      }),
    ],
  }),
  contract("Order form 1: eight AT-40 units, Brno", "ORDER_FORM", "VENDOR", {
    party: "moravia",
    owner: "tomasz",
    value: ["EUR", 412_000],
    term: { from: -330, months: 9 },
    begun: -352,
    by: "tomasz",
    moves: [approve(6, "minjun"), execute(12, "tomasz")],
    duties: [
      duty("DELIVERABLE", "Deliver eight AT-40 units to Brno", {
        from: "EXECUTION_DATE",
        after: 12,
        unit: "WEEK",
        done: [-262, "yuki"],
      }),
      duty("PAYMENT", "Invoice the balance after acceptance", {
        from: "FIXED_DATE",
        on: -240,
        done: [-236, "tomasz"],
      }),
    ],
  }),
  contract("Order form 2: twelve AT-40 units, Olomouc", "ORDER_FORM", "VENDOR", {
    party: "moravia",
    owner: "tomasz",
    value: ["EUR", 594_000],
    term: { on: 19, months: 12 },
    begun: -31,
    by: "tomasz",
    moves: [review(3, "minjun"), approve(14, "eleni")],
    signing: {
      sent: -3,
      by: "tomasz",
      ours: "tomasz",
      message: "Twelve units as agreed last week. Please sign by Friday, so that they ship in time.",
      acts: [
        { on: -2, who: "theirs", does: "signs", as: "Head of Logistics" },
        { on: -1, who: "ours", does: "signs", as: "Sales Director" },
      ],
    },
    duties: [
      duty("PAYMENT", "Invoice the deposit of 30 percent", {
        from: "EXECUTION_DATE",
        after: 5,
        unit: "BUSINESS_DAY",
        by: "erp",
      }),
      duty("DELIVERABLE", "Deliver twelve AT-40 units to Olomouc", {
        from: "EFFECTIVE_DATE",
        after: 10,
        unit: "WEEK",
      }),
    ],
  }),
  contract("Pilot: chilled picking in Nagoya", "PILOT", "VENDOR", {
    party: "kisetsu",
    owner: "minjun",
    value: ["JPY", 9_800_000],
    term: { from: -240, months: 6 },
    begun: -286,
    by: "minjun",
    moves: [review(4, "marcus"), negotiate(12, "minjun"), approve(33, "eleni"), execute(42, "minjun")],
    duties: [
      duty("REPORTING", "Deliver the pilot evaluation report", {
        from: "EXPIRATION_DATE",
        after: 30,
        done: [-12, "minjun"],
      }),
      duty("OTHER", "Collect the pilot robots from Nagoya", {
        from: "EXPIRATION_DATE",
        after: 14,
        waived: [-30, "yuki"],
        description: "Not needed: Kisetsu keeps the fleet under the master purchase agreement.",
      }),
    ],
  }),
  contract("売買基本契約書 (master purchase agreement)", "MSA", "VENDOR", {
    party: "kisetsu",
    owner: "minjun",
    value: ["JPY", 148_000_000],
    begun: -44,
    by: "minjun",
    moves: [
      review(4, "eleni"),
      negotiate(15, "minjun", "Translation agreed; open points are warranty period and spare parts."),
      revise(36, "minjun", { value: ["JPY", 152_500_000] }),
    ],
  }),
  contract("Order form: AT-40 chilled variant, Osaka", "ORDER_FORM", "VENDOR", {
    party: "kisetsu",
    owner: "tomasz",
    value: ["JPY", 61_000_000],
    begun: -96,
    by: "tomasz",
    moves: [
      review(5, "minjun"),
      cancel(40, "tomasz", "The customer moved the Osaka site to its next budget year."),
    ],
    duties: [
      duty("DELIVERABLE", "Confirm the cold-chain battery specification", {
        from: "FIXED_DATE",
        on: 45,
        noted: -88,
      }),
    ],
  }),
];
