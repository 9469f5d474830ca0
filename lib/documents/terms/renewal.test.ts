/** The agreement renews, as opposed to something that someone has or keeps under it. */
import { expect, test } from "@playwright/test";
import { formatDuration } from "./durations.ts";
import { readTerms } from "./terms.ts";

function read(text: string) {
  const { renewal, renewalNotice } = readTerms({
    pages: [`SERVICES AGREEMENT\nIt is agreed as follows. ${text}`],
  });
  const kind =
    renewal && `${formatDuration(renewal.length)}, ${renewal.isAutomatic ? "automatic" : "optional"}`;
  return [kind, renewalNotice && formatDuration(renewalNotice.length)];
}

test("renewals of other things, such as a letter of credit or a visa, are not read as the agreement's", () => {
  for (const text of [
    "The letter of credit shall automatically renew for additional one-year periods unless the bank gives 60 days' notice.",
    "The domain registrations are automatically renewed for one year unless cancelled in writing 30 days before.",
    "The visa shall be renewed every two years.",
    "The insurance policy shall automatically renew for successive one (1) year periods.",
  ]) {
    expect(read(text), text).toEqual([null, null]);
  }
});

test("an agreement that is deemed renewed is read as renewing automatically, with its notice period", () => {
  const text =
    "This Agreement shall be deemed renewed for another year if no notice is given three (3) months before the end of the term.";
  expect(read(text)).toEqual(["1 year, automatic", "3 months"]);
});
