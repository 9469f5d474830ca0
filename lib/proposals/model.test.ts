import { expect, test } from "@playwright/test";
import { draftsIn } from "./model.ts";

const pages = [
  "1. Fees.\nCustomer shall pay each invoice within 30 days.",
  "2. Reports are due every quarter, by its end.",
];

const proposal = {
  ...{
    kind: "PAYMENT",
    title: "Pay within 30 days",
    anchorType: "EVENT",
    offsetValue: 30,
    offsetUnit: "DAY",
  },
  ...{ offsetDirection: "AFTER", recurrenceMonths: null, page: 1, reasoning: "It says so." },
  quote: "Customer shall pay each invoice within 30 days.",
};

const answer = (content: unknown) =>
  JSON.stringify({
    choices: [{ message: { content: typeof content === "string" ? content : JSON.stringify(content) } }],
  });
const drafts = (...proposals: unknown[]) => draftsIn(answer({ proposals }), pages);

test("a model's proposal counts only if its quote appears verbatim on the page that it names", () => {
  expect(drafts(proposal)).toMatchObject([{ title: "Pay within 30 days", page: 1, quote: proposal.quote }]);
  expect(drafts({ ...proposal, page: 2 })).toEqual([]);
  expect(drafts({ ...proposal, page: 3 })).toEqual([]);
  expect(drafts({ ...proposal, quote: "Customer shall pay each invoice within 60 days." })).toEqual([]);
  expect(drafts({ ...proposal, quote: "customer shall pay each invoice within 30 days." })).toEqual([]);
  expect(drafts({ ...proposal, quote: "Customer" })).toEqual([]);
});

test("invalid proposals in a model's response are dropped, and at most ten are kept", () => {
  const bad = [
    { kind: "EXPLODE" },
    { anchorType: "FIXED_DATE" },
    { offsetValue: 1e9 },
    { offsetValue: -1 },
    { offsetUnit: "CENTURY" },
    { title: "" },
    { title: "x".repeat(121) },
    { title: "a\u0000b" },
    { title: "Pay\nEverything is paid." },
    { title: "a\u001b[2Kb" },
    { title: "\ud800" },
    { page: 0 },
    { page: 1.5 },
    { reasoning: "y".repeat(501) },
    { reasoning: "\udc00" },
  ];
  for (const one of bad) expect(drafts({ ...proposal, ...one }), JSON.stringify(one)).toEqual([]);
  for (const body of [
    "",
    "null",
    "{}",
    "[]",
    '{"choices":[]}',
    answer("no JSON"),
    answer("[]"),
    answer({ proposals: {} }),
  ]) {
    expect(draftsIn(body, pages), body).toEqual([]);
  }
  expect(drafts(null, 7, "text", [], { ...proposal, recurrenceMonths: "often" })).toHaveLength(1);
  const many = Array.from({ length: 1_000 }, (_, offsetValue) => ({ ...proposal, offsetValue }));
  expect(drafts(...many)).toHaveLength(10);
});

test("a proposal that the model repeats in other words is kept once", () => {
  const again = { ...proposal, title: "Settle invoices within 30 days", reasoning: "As it says." };
  const otherQuote = { ...proposal, page: 2, quote: "Reports are due every quarter, by its end." };
  expect(drafts(proposal, again, proposal).map(({ title }) => title)).toEqual(["Pay within 30 days"]);
  expect(drafts(proposal, { ...proposal, offsetValue: 31 }, otherQuote)).toHaveLength(3);
});
