/** Prints tables as CSV for spreadsheets. */
import { setImmediate } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import { slicesOf } from "#lib/core/batches/slices.ts";

export type Rows = (string | number | boolean | null)[][];

const lettersIn = (row: Rows[number]) =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 1), 0);

/** Printing this many letters takes up to 20 ms; then other requests are served. */
const slices = { weightOf: lettersIn, most: 500_000 };

export async function* printCsv(table: {
  columns: string[];
  batches: AsyncIterable<Rows>;
}): AsyncGenerator<string> {
  // The byte order mark tells Excel that the file is UTF-8.
  yield `\uFEFF${print([table.columns])}`;
  for await (const rows of table.batches) {
    for (const some of slicesOf(rows, slices)) {
      yield print(some);
      await setImmediate();
    }
  }
}

/**
 * Puts an apostrophe in front of cells that a spreadsheet would take for a formula. Cells with line breaks are quoted:
 * by default csv-stringify looks only for its own record delimiter.
 */
function print(rows: Rows): string {
  return stringify(rows, { escape_formulas: true, record_delimiter: "windows", quoted_match: /[\r\n]/ });
}
