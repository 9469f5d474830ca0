/** Artifacts of a text's layout. */
import { expect, test } from "@playwright/test";
import { readTerms } from "./terms.ts";

const recital = "The parties wish to work together in the way that is described below, as they have agreed. ";
const read = (...pages: string[]) => readTerms({ pages: [...pages, recital.repeat(8)] });

test("a word hyphenated across lines is read whole, and its quote appears verbatim on the page", () => {
  const soft =
    "This Agree\u00adment shall be effec\u00ad\ntive as of Janu\u00ad\n ary 5, 2024 and shall re\u00admain in effect until Decem\u00adber 31, 2026.";
  const hard =
    "This Agreement shall be effec-\ntive as of Janu-\nary 5, 2024 and shall remain in effect un-\ntil Decem‐\nber 31, 2026. It is effective until December as in January.";
  for (const page of [soft, hard]) {
    const { effectiveDate, term } = read(page);
    expect(effectiveDate?.date, page).toBe("2024-01-05");
    expect(term?.end, page).toBe("2026-12-31");
    for (const { quote } of [effectiveDate!, term!]) {
      expect(page.slice(quote.offset, quote.offset + quote.text.length)).toBe(quote.text);
    }
  }
});

test("a hyphen at the end of a line that belongs to the word is kept", () => {
  const { term, renewal } = read(
    "The initial term of this Agreement commences on January 1, 2024 and shall continue for twenty-\nfour (24) months. It shall automatically renew for successive one-\nyear periods.",
  );
  expect(term?.end).toBe("2025-12-31");
  expect(renewal?.length).toEqual({ value: 1, unit: "YEAR" });
});
