import { expect, test } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { turnsOf } from "#e2e/turns.ts";
import { printCsv } from "./print.ts";

test("while long cells are printed, other requests have their turn, and no row is lost", async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => [at, `He said "no",\nand ${at} `.repeat(200)]);
  const batches = (async function* () {
    yield rows;
  })();
  let text = "";
  const { longestMs, totalMs } = await turnsOf(async () => {
    for await (const part of printCsv({ columns: ["at", "said"], batches })) text += part;
  });
  expect(longestMs).toBeLessThan(totalMs / 3);
  const read: string[][] = parse(text, { bom: true, record_delimiter: "\r\n" });
  expect(read).toEqual([["at", "said"], ...rows.map(([at, said]) => [String(at), said])]);
});
