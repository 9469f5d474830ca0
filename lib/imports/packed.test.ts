import { expect, test } from "@playwright/test";
import { pack, type ReadRow, unpack } from "./packed.ts";

test("rows arrive as they were read, with cells that were converted, shortened or left out", async () => {
  const rows: ReadRow[] = [
    { line: 2, values: { title: "Lease", type: "LEASE" }, cells: { title: "Lease" } },
    { line: 3, values: { title: "x".repeat(100) }, cells: { title: "x".repeat(80) } },
    {
      line: 5,
      values: { valueCents: "1250", type: "NDA" },
      cells: { valueCents: "12.50", type: "nda", note: "" },
    },
    { line: 6, values: {}, cells: {} },
  ];
  expect(await unpack(JSON.parse(JSON.stringify(pack(rows))))).toEqual(rows);
});

test("20,000 rows of 60 columns take less than three times their text", () => {
  const values = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`customFields.field_number_${at}`, "abcdef"]),
  );
  const rows = Array.from({ length: 20_000 }, (_, line) => ({ line, values, cells: values }));
  expect(JSON.stringify(pack(rows)).length).toBeLessThan(3 * 20_000 * 60 * "abcdef".length);
});
