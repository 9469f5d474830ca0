/** The order in which a document writes day and month. */
import { expect, test } from "@playwright/test";
import { readTerms } from "./terms.ts";

const recital = "The parties wish to work together in the way that is described below, as they have agreed. ";

test("dates are read day first if the document has one that must be, and none that must be month first", () => {
  const days = (text: string) => {
    const { effectiveDate, term } = readTerms({ pages: [text, recital.repeat(8)] });
    return [effectiveDate?.date, term?.end];
  };
  expect(
    days("This Agreement is effective as of 03/04/2024 and shall remain in effect until 31/03/2026."),
  ).toEqual(["2024-04-03", "2026-03-31"]);
  expect(
    days(
      "This Agreement is effective as of 03-04-24 and shall remain in effect until 05-06-26. Notice: 25-01-2024.",
    ),
  ).toEqual(["2024-04-03", "2026-06-05"]);
  expect(
    days("This Agreement is effective as of 03/04/2024 and shall remain in effect until 05/06/2026."),
  ).toEqual(["2024-03-04", "2026-05-06"]);
  expect(
    days(
      "This Agreement is effective as of 03/04/2024 and shall remain in effect until 05/06/2026. 12/31/2024 and 31/12/2024.",
    ),
  ).toEqual(["2024-03-04", "2026-05-06"]);
});
