/** What a row asks for, and what is wrong with it. */
import { expect, test } from "@playwright/test";
import { readRow, readTable } from "./rows.ts";

const header = "title,type,ourRole,ownerEmail,counterpartyName";

function issuesOf(counterpartyName: string) {
  const csv = Buffer.from(`${header}\nT,NDA,VENDOR,ada@test.example,"${counterpartyName}"`);
  const [row] = readTable(csv, []).rows;
  const known = { ownerOf: () => "usr_1", customFieldsIn: () => ({ customFields: {}, issues: [] }) };
  return readRow(row!, known).issues;
}

test("a counterparty that a row names has such a name as one that is created by itself", () => {
  expect(issuesOf("Ελένη & Söhne, 株式会社")).toEqual([]);
  const named = (message: RegExp) => [{ path: "counterpartyName", message: expect.stringMatching(message) }];
  expect(issuesOf("Contoso\nLimited")).toEqual(named(/line breaks or control characters/));
  expect(issuesOf("Contoso\u0000")).toEqual(named(/NUL/));
  expect(issuesOf("C".repeat(201))).toEqual(named(/at most 200/));
});
