/** What becomes of a document's term: months that the contract counts from its own effective date, or a fixed day. */
import { expect, test } from "@playwright/test";
import { expiresOn } from "#lib/core/dates.ts";
import { readTerms } from "#lib/documents/terms/terms.ts";
import { draftsFrom } from "./from-findings.ts";

const preamble = (effective: string) =>
  `THIS SERVICES AGREEMENT is made and entered into as of ${effective} (the "Effective Date"), by and between Northwind Traders, Inc., a Delaware corporation, and Fabrikam Limited.\n`;

/** What is proposed of the term, and on which day the contract ends once all of that is accepted. */
function proposed(text: string, effective = "June 1, 2001") {
  const { dates, obligations } = draftsFrom(readTerms({ pages: [preamble(effective) + text] }));
  const dateOf = (anchor: string) => dates.find((one) => one.anchor === anchor)?.value ?? null;
  const months = dateOf("TERM");
  const effectiveDate = dateOf("EFFECTIVE_DATE") as Parameters<typeof expiresOn>[0]["effectiveDate"];
  const end = obligations.find(({ kind }) => kind === "EXPIRATION")?.fixedDate ?? null;
  const day = months && effectiveDate ? expiresOn({ effectiveDate, termMonths: Number(months) }) : null;
  const reasoning = dates.find(({ anchor }) => anchor === "TERM")?.reasoning;
  return { months, end: end?.toISOString().slice(0, 10) ?? day, reasoning };
}

test("a term that starts on another day than the effective date ends on the day that its quote implies", () => {
  const fromJuly = proposed(
    "The initial term of this Agreement commences on July 1, 2001 and shall continue for a period of 12 months.",
  );
  expect(fromJuly).toMatchObject({ months: "13", end: "2002-06-30" });
  expect(fromJuly.reasoning).toContain("12 months from 1 July 2001: its last day is 30 June 2002.");
  expect(fromJuly.reasoning).toContain("From the effective date that is 13 months.");
  expect(
    proposed(
      "The initial term of this Agreement commences on July 15, 2001 and shall continue for a period of 12 months.",
    ),
  ).toMatchObject({ months: null, end: "2002-07-14" });
  // A day apart is not the same day, as it may be where the text names the last one itself.
  expect(
    proposed(
      "The initial term of this Agreement commences on June 2, 2001 and shall continue for a period of 12 months.",
    ),
  ).toMatchObject({ months: null, end: "2002-06-01" });
});

test("a term is proposed if it counts from the effective date, even a blank one, but not from an unknown day", () => {
  for (const text of [
    "The term of this Agreement shall continue for two years from the Launch Date.",
    "This Agreement shall expire on the fifth anniversary of the Launch Date.",
  ]) {
    expect(proposed(text), text).toMatchObject({ months: null, end: null });
  }
  const own = "The term of this Agreement shall be for three (3) years from the Effective Date.";
  expect(proposed(own)).toMatchObject({ months: "36", end: "2004-05-31" });
  expect(proposed(own, "____ __, 20__")).toMatchObject({
    months: "36",
    end: null,
    reasoning: "3 years, from the day on which it takes effect.",
  });
});

test("an end date on the start's anniversary gives the same term as one on the day before", () => {
  for (const end of ["May 31, 2004", "June 1, 2004"]) {
    const text = `This Agreement shall commence on the Effective Date and continue until ${end}.`;
    expect(proposed(text), end).toMatchObject({ months: "36", end: "2004-05-31" });
  }
});
