/** Durations with halves, and the last day of a term of that length. */
import { expect, test } from "@playwright/test";
import { termEnd } from "#lib/core/dates.ts";
import { durationsOf, formatDuration } from "./durations.ts";
import { readTerms } from "./terms.ts";

const read = (text: string) => readTerms({ pages: [text] });

test("a half added to a number is read as part of it, never on its own", () => {
  const lengths = (text: string) => durationsOf(text).map(formatDuration);
  for (const text of [
    "successive periods of two and a half years",
    "a two-and-a-half-year term",
    "two and one-half (2.5) years",
    "two (2) and one half (1/2) years",
    "two and half (2 1/2) years",
    "2 1/2 years",
    "2½ years",
    "2.5 years",
    "two years and a half",
  ]) {
    expect(lengths(text), text).toEqual(["30 months"]);
  }
  expect(lengths("one-half year; one month and half a year")).toEqual(["6 months", "1 month", "6 months"]);
  for (const text of ["several and a half years", "two and a half months", "1.5 days", "1/2 year"]) {
    expect(lengths(text), text).toEqual([]);
  }
  const { renewal } = read(
    "This Agreement shall automatically renew for successive periods of two and a half years unless either party objects.",
  );
  expect(renewal?.length).toEqual({ value: 30, unit: "MONTH" });
});

test("a term's last day is the one that the contract computes from the same length, even at month ends", () => {
  for (const [first, words, months] of [
    ["2026-08-31", "six (6) months", 6],
    ["2028-02-29", "one (1) year", 12],
    ["2026-01-31", "thirteen months", 13],
    ["2026-08-30", "six months", 6],
    ["2026-08-28", "six months", 6],
    ["2026-01-01", "one and a half years", 18],
  ] as const) {
    const { term } = read(
      `The initial term of this Agreement shall commence on ${first} and shall continue for a period of ${words}.`,
    );
    expect(term?.end, `${words} from ${first}`).toBe(termEnd(first, months));
  }
  const { term } = read(
    "The initial term of this Agreement shall commence on August 31, 2026 and shall continue for six (6) months.",
  );
  expect(term?.end).toBe("2027-02-28");
});

test("years and months that form one length are read as one, and a length in mixed units is not read", () => {
  const lengths = (text: string) => durationsOf(text).map(formatDuration);
  expect(lengths("two (2) years and six (6) months from")).toEqual(["30 months"]);
  expect(lengths("1 year 6 months; three years, two months thereafter")).toEqual(["18 months", "38 months"]);
  for (const text of [
    "one year and one day",
    "two years, three months and ten days",
    "12 months and 2 weeks",
  ]) {
    expect(lengths(text), text).toEqual([]);
  }
  for (const [text, two] of Object.entries({
    "one (1) year and thirty (30) days' written notice": ["1 year", "30 days"],
    "one year, six months, or three months": ["1 year", "6 months", "3 months"],
    "one year and six months, respectively": ["1 year", "6 months"],
    "between one year and six months before": ["1 year", "6 months"],
    "one year and sixty (60) days after": ["1 year", "60 days"],
    "one-year and six-month terms": ["1 year", "6 months"],
  })) {
    expect(lengths(text), text).toEqual(two);
  }
  const { term } = readTerms({
    pages: [
      "The initial term of this Agreement shall commence on August 1, 2026 and shall continue for two (2) years and six (6) months.",
    ],
  });
  expect(term?.end).toBe("2029-01-31");
});
