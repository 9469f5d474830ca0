/** How a table of contracts is read, what a row asks for, and what is wrong with it. */
import { expect, test } from "@playwright/test";
import { readRecords, readRow, readTable } from "./rows.ts";

const header = "title,type,ourRole,ownerEmail,counterpartyName";

function issuesOf(counterpartyName: string) {
  const csv = Buffer.from(`${header}\nT,NDA,VENDOR,ada@test.example,"${counterpartyName}"`);
  const [row] = readTable(csv, []).rows;
  const known = { ownerOf: () => "usr_1", customFieldsIn: () => ({ customFields: {}, issues: [] }) };
  return readRow(row!, known).issues;
}

test("a counterparty's name in an import is validated like that of a counterparty created directly", () => {
  expect(issuesOf("Ελένη & Söhne, 株式会社")).toEqual([]);
  const named = (message: RegExp) => [{ path: "counterpartyName", message: expect.stringMatching(message) }];
  expect(issuesOf("Contoso\nLimited")).toEqual(named(/line breaks or control characters/));
  expect(issuesOf("Contoso\u0000")).toEqual(named(/NUL/));
  expect(issuesOf("C".repeat(201))).toEqual(named(/at most 200/));
});

test("a table is read with any common delimiter or a sep= line, and keeps the file's line numbers", () => {
  const read = (text: string) => {
    const { header, records, errors } = readRecords(Buffer.from(text));
    return { header, records: records.map(({ record, lastLine }) => [lastLine, ...record]), errors };
  };
  const table = (between: string) =>
    [
      ["title", "notes"],
      ["A", "1,5"],
      ["B", ""],
    ].map((cells) => cells.join(between));
  for (const between of [";", "\t"]) {
    const expected = {
      header: ["title", "notes"],
      records: [
        [2, "A", "1,5"],
        [3, "B", ""],
      ],
      errors: [],
    };
    expect(read(table(between).join("\r\n"))).toEqual(expected);
  }
  for (const [between, start] of [
    [";", "sep=;"],
    ["|", "\ufeffSEP=|"],
    ["\t", "sep=\t"],
  ] as const) {
    const expected = {
      header: ["title", "notes"],
      records: [
        [3, "A", "1,5"],
        [4, "B", ""],
      ],
      errors: [],
    };
    expect(read([start, ...table(between)].join("\r\n")), start).toEqual(expected);
  }
  expect(read("sep=;").header).toEqual(["sep=", ""]);
});
