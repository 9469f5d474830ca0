/** How long an agreement runs, and what only seems to say so. */
import { expect, test } from "@playwright/test";
import { formatDuration } from "./durations.ts";
import { readTerms } from "./terms.ts";

const recital = "The parties wish to work together in the way that is described below, as they have agreed. ";
const preamble = `THIS SERVICES AGREEMENT is made as of June 1, 2021 (the "Effective Date"), by and between Northwind, Inc. and Fabrikam Limited.\n${recital.repeat(4)}`;

const termIn = (text: string) => readTerms({ pages: [text] }).term;

test("the term is read from labels on an order form or a first page", () => {
  for (const [text, end] of [
    ["Effective Date: 1 March 2022\nTerm: 36 months", "2025-02-28"],
    ["Effective Date | March 1, 2022 |\n| Initial Term | Twelve (12) months |", "2023-02-28"],
    ["Commencement Date: 01.04.2022\nExpiry Date: 31.03.2025", "2025-03-31"],
    ["Subscription Start Date: 10/01/2023\nSubscription End Date: 09/30/2026", "2026-09-30"],
    ["ORDER FORM\nContract Term: 24 months\nEffective Date: 1 March 2022", "2024-02-29"],
    ['"Expiration Date" means December 31, 2024.', "2024-12-31"],
    ["The Expiry Date shall be 31 December 2024.", "2024-12-31"],
    ["Effective Date 01 April 2006 Termination Date: 1 April 2009", "2009-04-01"],
  ] as const) {
    expect(termIn(text)?.end, text).toBe(end);
  }
});

test("a label of something other than the agreement gives no term", () => {
  for (const text of [
    "Payment Term: 60 days",
    "Warranty Term: 12 months",
    "Renewal Term: 12 months",
    "Option Expiration Date: December 31, 2024",
    "Quote No. 1234; Expiration Date: December 31, 2024",
    "Certificate of insurance, Policy No. 77; Expiration Date: December 31, 2024",
    "Credit card expiration date: 12/31/2024",
  ]) {
    expect(termIn(preamble + text), text).toBeNull();
  }
});

test("the term is read from plain statements of its length or its dates", () => {
  for (const [text, length] of [
    ["The Term of this Agreement is sixty months.", "60 months"],
    ["This Agreement continues for 18 months.", "18 months"],
    ["This Agreement has a fixed term of two years.", "2 years"],
    ["This Agreement is concluded for a period of three years.", "3 years"],
    ["The Agreement will be in force for 5 years as of the Effective Date.", "5 years"],
    ["The term shall be three (3) years, with an option to extend it.", "3 years"],
  ] as const) {
    const term = termIn(preamble + text);
    expect(term?.length && formatDuration(term.length), text).toBe(length);
  }
  const lease = "This Lease commences on September 1st, 2020 and ends on August 31st, 2025.";
  expect(termIn(lease)?.end).toBe("2025-08-31");
});

test("a period for termination, an offer, prices or anything but the agreement itself is not read as its term", () => {
  for (const text of [
    "Neither party may terminate this Agreement until the first anniversary of the Effective Date.",
    "Customer may terminate this Agreement for a period of sixty (60) days after the Effective Date.",
    "This Agreement may not be terminated until December 31, 2023.",
    "Supplier cannot cancel this Agreement for a period of two (2) years from the Effective Date.",
    "The offer contained in this Agreement is valid until July 15, 2021.",
    "Prices under this Agreement shall remain valid for twelve (12) months.",
    "The suspension of this Agreement shall continue for a period of three months.",
    "A consent given under this Agreement is valid for six (6) months.",
    "A Statement of Work under this Agreement shall remain in effect until December 31, 2022.",
    "Notwithstanding the termination of this Agreement, Section 5 shall continue in effect for five (5) years.",
    "The Agreement with Bank shall remain in force until December 31, 2022.",
  ]) {
    expect(termIn(preamble + text), text).toBeNull();
  }
});
