/** Notice periods that have an earliest day as well as a last one. */
import { expect, test } from "@playwright/test";
import { durationsOf, formatDuration } from "./durations.ts";
import { readTerms } from "./terms.ts";

function noticeOf(words: string): string | null {
  const text = `This Agreement shall automatically renew for successive one (1) year terms unless either party gives the other written notice of non-renewal ${words} the end of the then-current term.`;
  const { renewalNotice } = readTerms({ pages: [text] });
  return renewalNotice && formatDuration(renewalNotice.length);
}

test("a window for giving notice is read as its last day, not its first", () => {
  const notices = {
    "30 days": [
      "not less than thirty (30) nor more than ninety (90) days prior to",
      "not more than ninety (90) nor less than thirty (30) days prior to",
      "not less than 30 or more than 90 days prior to",
      "at least thirty (30) days but not more than ninety (90) days prior to",
      "at least 30 days, and at most 90 days, before",
      "no fewer than thirty (30) and no greater than ninety (90) days prior to",
      "not less than 30 days' nor more than 90 days' prior notice before",
      "no later than thirty (30) days and no sooner than ninety (90) days before",
      "a minimum of thirty (30) and a maximum of ninety (90) days before",
      "up to ninety (90) days but at least thirty (30) days prior to",
      "between 30 and 90 days before",
      "between thirty and ninety days before",
      "between thirty (30) days and ninety (90) days before",
      "from ninety (90) to thirty (30) days before",
      "thirty (30) to ninety (90) days prior to",
      "30-90 days prior to",
    ],
    "60 days": [
      "no more than 120 and no less than 60 days prior to",
      "not less than sixty (60) days nor more than six (6) months prior to",
    ],
    "90 days": [
      "at least ninety (90) days prior to",
      "more than ninety (90) days prior to",
      "not earlier than 180 days prior to the end and not later than 90 days prior to",
      "by a letter of two (2) pages and at least ninety (90) days prior to",
      "as in Section 3 - ninety (90) days prior to",
    ],
    "2 months": ["not less than two (2) and not more than four (4) months prior to"],
  };
  for (const [length, all] of Object.entries(notices)) {
    for (const words of all) expect(noticeOf(words), words).toBe(length);
  }
  expect(noticeOf("not more than ninety (90) days prior to"), "from when on, and not until when").toBeNull();
  expect(noticeOf("no earlier than the date that is ninety (90) days before")).toBeNull();
});

test("numbers joined by 'and' are added only after hundreds", () => {
  expect(durationsOf("thirty and ninety days; one hundred and twenty days").map(formatDuration)).toEqual([
    ...["90 days", "120 days"],
  ]);
});
