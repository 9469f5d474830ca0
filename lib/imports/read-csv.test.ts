/** Cells as people write them, and headings as they call them. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { type DateOrder, guessDateOrder, guessFields, type ImportField } from "./catalogue.ts";
import { readCsv } from "./read-csv.ts";
import type { Mapping } from "./schema.ts";

test("amounts, dates and types are parsed in common notations, and what cannot be parsed stays as written", async () => {
  const path = test.info().outputPath("cells.csv");
  const read = async (
    field: ImportField,
    cells: string[],
    dateOrder: DateOrder = "YMD",
    currency = "USD",
  ) => {
    await writeFile(path, ["title;cell", ...cells.map((cell) => `T;"${cell}"`)].join("\n"));
    const fields: ImportField[] = ["title", field];
    const mapping: Mapping = { fields, type: "NDA", ourRole: "VENDOR", dateOrder };
    const { rows } = await readCsv({ path, mapping, ownerId: "usr_1", currency, dayColumns: [] });
    return rows.map(({ values }) => values[field === "value" ? "valueCents" : field]);
  };
  const amounts = {
    "12500": "1250000",
    "12,500.5": "1250050",
    "12.500,50": "1250050",
    "€ 12 500": "1250000",
    "1'234'567 CHF": "123456700",
    "0.07": "007",
    "1,234.567": "1,234.567",
    "-5": "-5",
    "about 5": "about 5",
  };
  expect(await read("value", Object.keys(amounts))).toEqual(Object.values(amounts));
  expect(await read("value", ["12500", "12.50"], "YMD", "JPY")).toEqual(["12500", "12.50"]);
  const days = ["31.12.2026", "1/2/2026", "2026-02-30", "31.12.26", "soon"];
  const asRead = ["2026-12-31", "2026-02-01", "2026-02-30", "31.12.26", "soon"];
  expect(await read("effectiveDate", days, "DMY")).toEqual(asRead);
  expect(await read("effectiveDate", ["12/31/2026"], "MDY")).toEqual(["2026-12-31"]);
  expect(await read("effectiveDate", ["2026/1/2"], "YMD")).toEqual(["2026-01-02"]);
  const types = ["Order form", "saas", "Letter of intent", "Licence", "Novel"];
  expect(await read("type", types)).toEqual(["ORDER_FORM", "SAAS", "LOI", "LICENSE", "Novel"]);
});

/** What is read of amounts, beside a currency's column that says the same of all, in a workspace of a currency. */
async function readAmounts(cells: string[], column: string, currency: string) {
  const path = test.info().outputPath("amounts.csv");
  const lines = cells.map((cell) => `T;"${cell}";${column}`);
  await writeFile(path, ["title;value;currency", ...lines].join("\n"));
  const fields: ImportField[] = ["title", "value", "valueCurrency"];
  const mapping: Mapping = { fields, type: "NDA", ourRole: "VENDOR", dateOrder: "YMD" };
  const { rows } = await readCsv({ path, mapping, ownerId: "usr_1", currency, dayColumns: [] });
  return rows.map(({ values }) => values);
}

test("an amount is parsed with its currency's decimals, and stays unparsed if a separator is ambiguous", async () => {
  const read = async (cells: string[], column: string, currency: string) =>
    (await readAmounts(cells, column, currency)).map(({ valueCents }) => valueCents);
  const dinars = {
    "250.500": "250500",
    "0.500": "0500",
    "0,500": "0500",
    "1250,500": "1250500",
    "250.5": "250500",
    "1,250.500": "1250500",
    "1.250,500": "1250500",
    "1 250": "1250000",
    "1.250.500": "1250500000",
    "250,500": "250,500",
    "250.5000": "250.5000",
  };
  for (const [column, currency] of [
    ["kwd", "USD"],
    ["", "BHD"],
    ["TND", "JPY"],
  ] as const) {
    expect(await read(Object.keys(dinars), column, currency)).toEqual(Object.values(dinars));
  }
  const euros = {
    "250.500": "25050000",
    "250,500": "25050000",
    "0.500": "0.500",
    "0,500": "0,500",
    "012.500": "012.500",
    "1,234,56": "1,234,56",
    "1234.567": "1234.567",
    "0.50": "050",
  };
  expect(await read(Object.keys(euros), "EUR", "KWD")).toEqual(Object.values(euros));
  const yen = {
    "1.500": "1500",
    "1,500": "1500",
    "1500.00": "1500.00",
    "1,500.00": "1,500.00",
    "0.500": "0.500",
    "1.5": "1.5",
  };
  expect(await read(Object.keys(yen), "", "JPY")).toEqual(Object.values(yen));
  expect(await read(["1.2345", "1.234"], "CLF", "USD")).toEqual(["12345", "12340"]);
  expect(await read(["1.5"], "XYZZY", "USD"), "of no known currency").toEqual(["1.5"]);
});

test("a currency in an amount's cell applies to it, unless it is ambiguous or contradicts the currency column", async () => {
  const read = async (cells: string[], column: string, currency: string) =>
    (await readAmounts(cells, column, currency)).map(
      ({ valueCents, valueCurrency }) => `${valueCents} ${valueCurrency ?? "as usual"}`,
    );
  const cells = ["12500", "€ 12.500,50", "5 CHF", "KWD 250.500", "$ 5", "C$5", "£ 5", "ABC 5", "EUR 5 EUR"];
  const clear = ["1250000 as usual", "1250050 EUR", "500 CHF", "250500 KWD"];
  const unclear = ["£ 5 as usual", "ABC 5 as usual", "EUR 5 EUR as usual"];
  expect(await read(cells, "", "CAD")).toEqual([...clear, "500 CAD", "500 CAD", ...unclear]);
  expect(await read(cells, "", "GBP")).toEqual([
    ...[...clear, "$ 5 as usual", "C$5 as usual", "500 GBP", "ABC 5 as usual", "EUR 5 EUR as usual"],
  ]);
  const inDollars = ["12500", "USD 5", "$5", "US$ 5", "€ 5", "5 CHF"];
  expect(await read(inDollars, "usd", "EUR")).toEqual([
    ...["1250000 USD", "500 USD", "500 USD", "500 USD", "€ 5 USD", "5 CHF USD"],
  ]);
});

test("each field is guessed from at most one heading, and the date order from the dates", () => {
  expect(guessFields(["Contract name", "Owner", "Owner e-mail", "Vendor", "Start date", "Notes"])).toEqual([
    ...["title", null, "ownerEmail", "counterpartyName", "effectiveDate", null],
  ]);
  expect(guessFields(["valueCents", "title", "Name"])).toEqual(["valueCents", "title", null]);
  const region = { key: "sales-region", name: "Vendor" };
  expect(guessFields(["customFields.sales-region", "Vendor"], [region])).toEqual([
    ...["customFields.sales-region", "counterpartyName"],
  ]);
  expect(guessFields(["Title", "Vendor"], [region])).toEqual(["title", "customFields.sales-region"]);
  expect(guessDateOrder(["2026-01-02"])).toBe("YMD");
  expect(guessDateOrder(["01/02/2026", "13/02/2026"])).toBe("DMY");
  expect(guessDateOrder(["01/02/2026"])).toBe("MDY");
  expect(guessDateOrder(["01.02.2026"])).toBe("DMY");
});
