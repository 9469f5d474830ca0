/** From which day an agreement is effective, and which days are about other things. */
import { expect, test } from "@playwright/test";
import { readTerms } from "./terms.ts";

const recital = "The parties wish to work together in the way that is described below, as they have agreed. ";

/** The day's position matters too: one page precedes it, and several follow. */
const effectiveIn = (text: string) =>
  readTerms({ pages: [`SERVICES AGREEMENT\n${recital}${text} ${recital.repeat(8)}`] }).effectiveDate?.date ??
  null;

test("an agreement's effective date is the day on which it says that it begins, whatever its kind", () => {
  for (const text of [
    "This Agreement shall enter into force on 1 January 2024.",
    "This Contract enters into effect on 1 January 2024.",
    "This Lease shall commence on January 1, 2024.",
    "This Employment Agreement shall be effective as of January 1, 2024.",
    "The term of employment under this Agreement shall commence on January 1, 2024.",
    "The term of this Lease shall commence on January 1, 2024 and end on December 31, 2026.",
    "This Payment Services Agreement is effective as of January 1, 2024.",
    "The Term of this Agreement, and the payments under it, shall commence on January 1, 2024.",
    "Effective January 1, 2024, the parties enter into the following agreement.",
    'The Effective Date of this Agreement (herein called the "Effective Date") is January 1, 2024.',
    "This Agreement is made and effective as of January 1, 2024, by and between A Corp. and B Corp.",
    "The Contract shall become effective on January 1, 2024.",
    "The Joint Venture shall commence on the 1st of January, 2024.",
    "These Terms and Conditions are effective January 1, 2024.",
  ]) {
    expect(effectiveIn(text), text).toBe("2024-01-01");
  }
});

test("an effective date stated with the signatures at the end is read", () => {
  const { effectiveDate } = readTerms({
    pages: [`SERVICES AGREEMENT\n${recital.repeat(8)} Signed and effective this 1st day of January, 2024.`],
  });
  expect(effectiveDate?.date).toBe("2024-01-01");
});

test("the start of something other than the agreement is not read as its effective date", () => {
  for (const text of [
    "Supplier's price list effective January 1, 2024 is attached.",
    "The prices shall be effective from January 1, 2024 and may be adjusted.",
    "The fees under the Agreement increase effective January 1, 2024.",
    "Deliveries under this Agreement shall commence on January 1, 2024.",
    "The services required by this Agreement shall begin on January 1, 2024.",
    "Rent payments under this Lease shall commence on January 1, 2024.",
    "Landlord's other Lease commences on January 1, 2024.",
    "The merger became effective on January 1, 2024.",
    "Company was incorporated effective January 1, 2024 under the laws of Delaware.",
    "Phase 1 shall begin on January 1, 2024 and end on June 30, 2024.",
    "Training begins on January 1, 2024 and this Agreement covers it.",
    "Insurance shall commence on January 1, 2024 under this Agreement.",
    "This Agreement supersedes the agreement effective as of January 1, 2024.",
    "The parties made a License Agreement, made and effective as of January 1, 2024, on other terms.",
    "This Statement of Work is governed by the Master Services Agreement with an Effective Date of January 1, 2024.",
    'This First Amendment ("Amendment") to the Services Agreement effective as of January 1, 2024 is made today.',
    "This Agreement terminates the prior agreement effective January 1, 2024.",
    "Effective January 1, 2024, Section 4 of this Agreement is deleted.",
    "The Incoterms valid on 1 January 2024 shall apply to this Agreement.",
  ]) {
    expect(effectiveIn(text), text).toBeNull();
  }
});
