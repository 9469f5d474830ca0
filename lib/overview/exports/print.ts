/** Prints tables as CSV for spreadsheets. */
import { setImmediate } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";

export type Rows = (string | number | boolean | null)[][];

/** Printing this many letters takes up to 20 ms; then other requests are served. */
const lettersAtOnce = 500_000;

export async function* printCsv(table: {
  columns: string[];
  batches: AsyncIterable<Rows>;
}): AsyncGenerator<string> {
  // The byte order mark tells Excel that the file is UTF-8.
  yield `\uFEFF${print([table.columns])}`;
  for await (const rows of table.batches) {
    for (const some of slicesOf(rows)) {
      yield print(some);
      await setImmediate();
    }
  }
}

function* slicesOf(rows: Rows): Generator<Rows> {
  let slice: Rows = [];
  let letters = 0;
  for (const row of rows) {
    const added = row.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 1), 0);
    if (slice.length > 0 && letters + added > lettersAtOnce) {
      yield slice;
      [slice, letters] = [[], 0];
    }
    slice.push(row);
    letters += added;
  }
  if (slice.length > 0) yield slice;
}

/**
 * Puts an apostrophe in front of cells that a spreadsheet would take for a formula. Cells with line breaks are quoted:
 * by default csv-stringify looks only for its own record delimiter.
 */
function print(rows: Rows): string {
  return stringify(rows, { escape_formulas: true, record_delimiter: "windows", quoted_match: /[\r\n]/ });
}
