/** What is read from contracts: values, quotes, and the cost of the worst text. */
import { expect, test } from "@playwright/test";
import { datesOf } from "./dates.ts";
import { durationsOf, formatDuration } from "./durations.ts";
import { type Findings, readTerms } from "./terms.ts";

const read = (...pages: string[]): Findings => readTerms({ pages });

const preamble =
  'THIS SERVICES AGREEMENT is made and entered into as of the 1st day of June, 2001 (the "Effective Date"), by and between Northwind Traders, Inc., a Delaware corporation, and Fabrikam Limited.\n';

test("dates are read in every common notation, and incomplete or impossible dates are not read", () => {
  const written = {
    "2001-06-01": [
      "the 1st day of June, 2001",
      "June 1, 2001",
      "1s t day of June, 2001",
      "6/1/01",
      "1.6.2001",
    ],
    "2006-04-01": [
      "first of April, 2006",
      "the first day of April in the year 2006",
      "1st day of April in the year of our Lord 2006",
      "2006/04/01",
      "01 April 2006",
      "April 1st, 2006",
      "first day of April, 2006",
      "04-01-06",
      "2006-04-01",
    ],
    "2025-01-31": ["31/01/2025", "the thirty-first (31) day; January 31 , 2025"],
  };
  for (const [day, texts] of Object.entries(written)) {
    for (const text of texts)
      expect(
        datesOf(text).map(({ date }) => date),
        text,
      ).toContain(day);
  }
  for (const text of ["June ___, 2001", "31 June 2001", "2001", "June 2001", "13/13/2001"]) {
    expect(datesOf(text), text).toEqual([]);
  }
});

test("a date in words is read with its whole ordinal, however that is broken, or not at all", () => {
  const days = (text: string) => datesOf(text).map(({ date }) => date);
  const written = {
    "2026-03-21": [
      "this twenty first day of March, 2026",
      "the twenty-first (21st) day of March, 2026",
      "twenty- first day of March, 2026",
      "twenty‑first day of March 2026",
      "twenty‐first day of March 2026",
    ],
    "2026-03-25": ["the twenty-fifth day of March, 2026", "25-March-2026"],
    "2026-03-30": ["this thirtieth day of March, 2026"],
    "2026-03-31": ["the thirty-first day of March, the year 2026"],
    "2026-03-12": ["12-Mar-2026", "12‑Mar‑2026", "Mar-12-2026", "12-MAR-2026."],
  };
  for (const [day, texts] of Object.entries(written)) {
    for (const text of texts) expect(days(text), text).toEqual([day]);
  }
  for (const text of ["the thirty-second day of March, 2026", "forty‑fifth day of March, 2026"]) {
    expect(days(text), text).toEqual([]);
  }
  const { agreementDate } = read(
    "This Agreement is made as of this twenty-\nfirst day of March, 2026, by and between A Corp. and B Corp.",
  );
  expect(agreementDate?.date).toBe("2026-03-21");
});

test("an anniversary beyond the twentieth is read with its whole ordinal", () => {
  const { term } = read(
    `${preamble}This Agreement shall expire on the twenty-fifth anniversary of the Effective Date.`,
  );
  expect(term?.end).toBe("2026-05-31");
});

test("a duration is read in words, figures or both, and the figures count if they differ", () => {
  const lengths = (text: string) => durationsOf(text).map(formatDuration);
  expect(lengths("at least ninety (90) days")).toEqual(["90 days"]);
  expect(lengths("a thirty-day notice, or one hundred and twenty days")).toEqual(["30 days", "120 days"]);
  expect(lengths("sixty (90) days")).toEqual(["90 days"]);
  expect(lengths("one (1) additional twelve month period")).toEqual(["12 months"]);
  expect(lengths("half a year; six (6)-month terms; 5 business days")).toEqual([
    "6 months",
    "6 months",
    "5 business days",
  ]);
  expect(lengths("$30 days 1.5.2 days")).toEqual([]);
});

const terms: [text: string, end: string | null][] = [
  ["The term of this Agreement shall be for three (3) years from the Effective Date.", "2004-05-31"],
  ["This Agreement shall commence on the Effective Date and continue until December 31, 2005.", "2005-12-31"],
  ["This Agreement shall expire on the fifth (5th) anniversary of the Effective Date.", "2006-05-31"],
  [
    "The initial term of this Agreement commences on July 1, 2001 and shall continue for a period of 12 months.",
    "2002-06-30",
  ],
  ["The term of this Agreement shall continue for two years from the Launch Date.", null],
];
for (const [text, end] of terms) {
  test(`the last day is ${end ?? "unknown"} for: ${text}`, () => {
    const { term } = read(preamble + text);
    expect(term?.end ?? null).toBe(end);
    expect(term?.quote.text).toBe(text);
  });
}

test("an open-ended agreement, a warranty and a confidentiality obligation give no term", () => {
  for (const text of [
    "This Agreement shall continue until terminated by either party.",
    "The warranty shall continue for a period of two (2) years from delivery.",
    "The confidentiality obligations shall survive for five (5) years after termination.",
  ]) {
    expect(read(preamble + text).term, text).toBeNull();
  }
});

test("a renewal is told apart from its notice period, and an automatic renewal from an option", () => {
  const both = read(
    `${preamble}Thereafter this Agreement shall automatically renew for successive one (1) year periods unless either party gives at least ninety (90) days prior written notice of its intention not to renew.`,
  );
  expect(both.renewal).toMatchObject({
    length: { value: 1, unit: "YEAR" },
    isAutomatic: true,
    isSuccessive: true,
  });
  expect(both.renewalNotice).toMatchObject({ length: { value: 90, unit: "DAY" } });
  const option = read(
    `${preamble}Customer shall have the option to renew this Agreement for an additional term of two (2) years.`,
  );
  expect(option.renewal).toMatchObject({ length: { value: 2, unit: "YEAR" }, isAutomatic: false });
  expect(option.renewalNotice).toBeNull();
});

test("net payment terms are read as a payment deadline, and net amounts are not", () => {
  const payment = (text: string) =>
    read(preamble + text).duties.find(({ kind }) => kind === "payment")?.length ?? null;
  for (const text of [
    "All fees are payable net thirty (30) days.",
    "Invoices are due net 30 days.",
    "Invoices are due net 30.",
    "Customer shall pay all fees Net-30 days from the date of the invoice.",
    "Payment terms: net (30) days.",
  ]) {
    expect(payment(text), text).toEqual({ value: 30, unit: "DAY" });
  }
  expect(payment("Fees are payable net forty-five days.")).toEqual({ value: 45, unit: "DAY" });
  for (const text of [
    "All fees are payable net of taxes.",
    "Royalties are payable at net 5% of sales.",
    "Fees are due on net 30.5 units of sales.",
  ]) {
    expect(payment(text), text).toBeNull();
  }
});

test("an effective date that refers to the date first written above is the agreement's date", () => {
  const text =
    "This Agreement is made as of March 29, 1999, by and between A Corp. and B Corp. This Agreement will become effective as of the date first written above.";
  const { effectiveDate } = read(text);
  expect(effectiveDate).toMatchObject({ date: "1999-03-29", reasoning: "That day is 29 March 1999." });
  expect(read("This Agreement is dated March 29, 1999 between A Corp. and B Corp.").effectiveDate).toBeNull();
});

test("the title, contract type and parties are read from the preamble", () => {
  const { title, parties } = read(
    'This Mutual Non-Disclosure Agreement (the "Agreement") is entered into by and between NORTHWIND TRADERS, INC., a Delaware corporation, and Fabrikam Limited.',
  );
  expect(title).toMatchObject({ name: "Mutual Non-Disclosure Agreement", type: "NDA" });
  expect(parties.map(({ name }) => name)).toEqual(["NORTHWIND TRADERS, INC.", "Fabrikam Limited"]);
});

test("every quote appears verbatim on its page, with the page's own white space and quotation marks", () => {
  const pages = [
    "THIS SERVICES AGREEMENT is made as of\nJune 1, 2001 (the “Effective  Date”) by and between\nNorthwind, Inc. and Fabrikam Limited.",
    "",
    "1. Term.  The term of this Agreement shall be\nthree (3) years from the\tEffective Date. It ends",
    "then. Customer’s invoices shall be paid within thirty (30) days after receipt of the invoice.",
  ];
  const { effectiveDate, term, duties } = read(...pages);
  for (const [found, pageIndex] of [
    [effectiveDate, 0],
    [term, 2],
    [duties[0], 3],
  ] as const) {
    expect(found!.quote.pageIndex).toBe(pageIndex);
    expect(pages[pageIndex]!.slice(found!.quote.offset)).toContain(found!.quote.text);
    expect(pages[pageIndex]!.slice(found!.quote.offset, found!.quote.offset + found!.quote.text.length)).toBe(
      found!.quote.text,
    );
  }
});

/** In ms of this process's own processor time, so that other processes on the machine do not count. */
function cpuOf(text: string): number {
  const before = process.cpuUsage();
  readTerms({ pages: [text] });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("reading four times as much text takes less than nine times as long, even for the worst text", () => {
  const worst = [
    "automatically renew for successive one ",
    "term of this Agreement ",
    "effective as of the date ",
    "twenty-one hundred and ",
    "June 1, 2001 through ",
    "This Agreement (the ",
    "(((((((((",
    "Northwind Traders Of The And ",
    "unless either party gives notice ",
    "a. ",
    "-",
    "day of of of the ",
    "renew automatically upon the ",
    "shall not be renewed only if ",
    "un-\ntil until ",
    "\u00ad\n",
    "Initial Term: 1 year and ",
    "Expiry Date: 1/1/2024 ",
    "may terminate under this Agreement, effective on January 1, 2024, ",
    "shall issue invoices within 10 days after receipt and pay ",
  ];
  for (const words of worst) {
    const [few, many] = [100_000, 400_000].map((letters) => words.repeat(letters / words.length));
    cpuOf(few!);
    expect(cpuOf(many!), words).toBeLessThan(9 * Math.max(cpuOf(few!), 25));
  }
});
