/** What a deadline is for: payment or something else; prohibitions are not obligations. */
import { expect, test } from "@playwright/test";
import { formatDuration } from "./durations.ts";
import { readTerms } from "./terms.ts";

/** The deadlines of one kind, each as its time. */
function timesOf(kind: string, text: string): string[] {
  const found = readTerms({ pages: [text] }).duties.filter((one) => one.kind === kind);
  return found.map(({ length }) => (length ? formatDuration(length) : ""));
}

test("the deadline for payment is not confused with the deadline for issuing an invoice", () => {
  for (const [text, time] of [
    [
      "Supplier shall issue an invoice within ten (10) days after receipt of the order; fees shall be paid as agreed.",
      null,
    ],
    [
      "Supplier shall submit invoices within five (5) days after the end of the month, and Customer shall pay them within thirty (30) days of receipt.",
      "30 days",
    ],
    [
      "Payment shall be made within ten (10) business days of receipt of a valid invoice.",
      "10 business days",
    ],
    ["Customer shall pay each invoice within thirty (30) days of the invoice date.", "30 days"],
  ] as const) {
    expect(timesOf("payment", text), text).toEqual(time === null ? [] : [time]);
  }
});

test("a clause that forbids termination for convenience gives no notice period for it", () => {
  for (const text of [
    "Neither party may terminate this Agreement for convenience.",
    "Neither party may terminate this Agreement without cause on less than thirty (30) days' notice.",
    "Supplier shall have no right to terminate this Agreement for convenience upon notice of 30 days.",
    "Supplier may not cancel this Agreement at any time without cause upon thirty (30) days' notice.",
  ]) {
    expect(timesOf("convenience", text), text).toEqual([]);
  }
  const may = "Customer may terminate this Agreement at any time without cause on 60 days' written notice.";
  expect(timesOf("convenience", may)).toEqual(["60 days"]);
});
