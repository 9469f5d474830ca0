/**
 * The rows of a CSV, as they are passed from the process that reads it: the names once, not in each of 20,000 rows, and
 * a cell only where it differs from its value. Runs on both sides.
 */
import type { Row } from "#lib/contracts/import/rows.ts";
import { mapInSlices } from "#lib/core/batches/slices.ts";

export interface ReadRow extends Row {
  /** The cells of the file, by the API's names. */
  cells: Record<string, string>;
}

interface PackedRow {
  line: number;
  /** In the order of the names; null where a row has no value. */
  values: (string | null)[];
  /** Cells that are not the same as the value; null for a value that is not from the file. */
  others: Record<string, string | null>;
}

export interface Packed {
  names: string[];
  rows: PackedRow[];
}

export function pack(rows: ReadRow[]): Packed {
  const names = new Set<string>();
  for (const { values } of rows) for (const name in values) names.add(name);
  const columns = [...names];
  return { names: columns, rows: rows.map((row) => packRow(row, columns)) };
}

function packRow({ line, values, cells }: ReadRow, names: string[]): PackedRow {
  const others = new Map<string, string | null>();
  for (const [name, cell] of Object.entries(cells)) if (values[name] !== cell) others.set(name, cell);
  for (const name of Object.keys(values)) if (!Object.hasOwn(cells, name)) others.set(name, null);
  return { line, values: names.map((name) => values[name] ?? null), others: Object.fromEntries(others) };
}

export function unpack({ names, rows }: Packed): Promise<ReadRow[]> {
  return mapInSlices(rows, { weightOf: () => names.length, most: 20_000 }, (row) => unpackRow(row, names));
}

function unpackRow({ line, values, others }: PackedRow, names: string[]): ReadRow {
  const given = names.flatMap((name, index): [string, string][] => {
    const value = values[index] ?? null;
    return value === null ? [] : [[name, value]];
  });
  const read = Object.fromEntries(given);
  const cells = Object.entries({ ...read, ...others }).filter(([, cell]) => cell !== null);
  return { line, values: read, cells: Object.fromEntries(cells) as Record<string, string> };
}
