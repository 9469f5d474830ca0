/** Reads a CSV of contracts: the table out of its bytes, and each row as a contract would be asked for. */
import { CsvError, parse } from "csv-parse/sync";
import type { Issue } from "#lib/core/errors.ts";
import { NewCounterparty } from "#lib/counterparties/schema.ts";
import type { ValuesByKey } from "#lib/custom-fields/values.ts";
import { type ColumnName, columnNames, columns } from "../columns.ts";
import { contractStatuses } from "../lifecycle.ts";
import { type ContractFields, contractFields, NewContract } from "../schema.ts";
import { tagsOfCell } from "../tags/cells.ts";

/** What is wrong in which line of the file, counted from 1; the header is line 1. */
export interface RowError {
  line: number;
  path: string;
  message: string;
}

export interface Row {
  line: number;
  values: Record<string, string>;
}

const contractColumns = columnNames.filter((name) => columns[name].imported);

/** Instead of ids, what people know; and the document. */
const plainFields = ["counterpartyName", "ownerEmail", "fileName"];

const importColumns = [...contractColumns, ...plainFields];

/** All rows are made in one change. So many were tried. */
const maxRows = 20_000;

export interface Cells {
  record: string[];
  /** The line of the file in which the last of them ends. */
  lastLine: number;
}

/** The rows of a CSV whose first line has the names of the columns: `fieldColumns` are those of custom fields. */
export function readTable(csv: Uint8Array, fieldColumns: string[]): { rows: Row[]; errors: RowError[] } {
  const { header, records, errors } = readRecords(csv);
  if (errors.length === 0) errors.push(...headerErrors(header, [...importColumns, ...fieldColumns]));
  return errors.length > 0 ? { rows: [], errors } : rowsOf(header, records);
}

/** A CSV in UTF-8, with commas, semicolons or tabs: its first line and the others. Cells are text, whatever they look like. */
export function readRecords(csv: Uint8Array): { header: string[]; records: Cells[]; errors: RowError[] } {
  const broken = brokenLine(csv);
  if (broken) return wrong(broken, "is not UTF-8: save the file as CSV in UTF-8");
  // The parser counts the two characters of a line's end within quotes as two lines.
  const { text, delimiter } = findDelimiter(new TextDecoder().decode(csv).replace(/\r\n?/g, "\n"));
  const all: Cells[] = [];
  try {
    parse(text, {
      ...{ bom: true, relax_column_count: true, skip_empty_lines: true, delimiter },
      // The first line, and one more than is taken.
      to: maxRows + 2,
      on_record: (record: string[], { lines }) => void all.push({ record, lastLine: lines }),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return wrong(Number(error.lines) || 1, `is not CSV: ${error.message}`);
  }
  const [first, ...records] = all;
  if (!first) return wrong(1, "is empty: the first line has to name the columns");
  const tooLong = `has more than ${maxRows.toLocaleString("en-US")} rows: split it`;
  if (records.length > maxRows) return wrong(1, tooLong);
  return { header: first.record.map((name) => name.trim()), records, errors: [] };
}

const wrong = (line: number, message: string) => ({
  ...{ header: [], records: [] },
  errors: [{ line, path: "", message }],
});

/** What exports put before a text that a spreadsheet would take for a formula (overview/exports/csv.ts). */
const markOfText = /^'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/** The cells of each record by the names of their columns; a column without a name is left out. */
export function rowsOf(names: (string | null)[], records: Cells[]) {
  const rows: Row[] = [];
  const errors: RowError[] = [];
  for (const { record, lastLine } of records) {
    const breaks = record.join("").split("\n").length - 1;
    const line = lastLine - breaks;
    const cells = record.map((cell) => cell.trim().replace(markOfText, ""));
    if (cells.every((cell) => cell === "")) continue;
    if (cells.length > names.length) {
      errors.push({ line, path: "", message: `has ${cells.length} cells for ${names.length} columns` });
      continue;
    }
    const given = names
      .map((name, index) => [name, cells[index] ?? ""] as const)
      .filter(([name, cell]) => name !== null && cell !== "");
    rows.push({ line, values: Object.fromEntries(given) });
  }
  return { rows, errors };
}

/** The first line that is not UTF-8, or null. */
function brokenLine(csv: Uint8Array): number | null {
  const decoder = () => new TextDecoder("utf-8", { fatal: true });
  try {
    decoder().decode(csv);
    return null;
  } catch {
    const lines = Buffer.from(csv).toString("latin1").split("\n");
    const index = lines.findIndex((line) => {
      try {
        decoder().decode(Buffer.from(line, "latin1"));
        return false;
      } catch {
        return true;
      }
    });
    return index + 1;
  }
}

/** Spreadsheets write semicolons in some locales, and copied cells are separated by tabs. */
const delimiters = [",", ";", "\t"];

/**
 * Finds the delimiter. A first line `sep=;`, which Excel reads and hides, is emptied, not removed, so that line numbers
 * stay those of the file.
 */
function findDelimiter(text: string): { text: string; delimiter: string } {
  const { told, rest } = /^\ufeff?sep=(?<told>[,;\t|])(?<rest>\n.*)$/is.exec(text)?.groups ?? {};
  if (told !== undefined && rest !== undefined) return { text: rest, delimiter: told };
  const [header = ""] = text.split("\n", 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return { text, delimiter: delimiters.reduce((most, one) => (count(one) > count(most) ? one : most)) };
}

/** What every contract needs; its owner can be told in two ways. */
const requiredColumns = Object.entries(contractFields)
  .filter(([name, field]) => name !== "ownerId" && !field.safeParse(undefined).success)
  .map(([name]) => name);

function headerErrors(names: string[], known: string[]): RowError[] {
  const at = (path: string, message: string) => ({ line: 1, path, message });
  const unknown = names.filter((name) => !known.includes(name));
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  const missing = requiredColumns.filter((name) => !names.includes(name));
  const noOwner = names.includes("ownerId") || names.includes("ownerEmail") ? [] : ["ownerEmail"];
  return [
    ...unknown.map((name) => at(name, `is not one of the known columns: ${known.join(", ")}`)),
    ...twice.map((name) => at(name, "appears twice")),
    ...[...missing, ...noOwner].map((name) => at(name, "is missing: add this column")),
  ];
}

export interface ParsedRow {
  contract: ContractFields;
  status: (typeof contractStatuses)[number];
  counterpartyName: string | null;
  fileName: string | null;
}

/** Knows active members by their e-mail address, and what is wrong with a row's custom fields. */
export interface RowLookups {
  ownerOf(email: string): string | undefined;
  customFieldsIn(values: Record<string, string>): { customFields: ValuesByKey; issues: Issue[] };
}

/** What a row asks for, and everything that is wrong with it. */
export function readRow(
  { values }: Row,
  { ownerOf, customFieldsIn }: RowLookups,
): { wanted: ParsedRow | null; issues: Issue[] } {
  const { status, ownerEmail, counterpartyName = null, fileName = null, ...cells } = values;
  const fields = Object.fromEntries(Object.entries(cells).filter(([name]) => Object.hasOwn(columns, name)));
  const { customFields, issues } = customFieldsIn(values);
  const ownerId = fields.ownerId ?? (ownerEmail === undefined ? undefined : ownerOf(ownerEmail));
  if (ownerEmail !== undefined && fields.ownerId === undefined && ownerId === undefined) {
    issues.push({ path: "ownerEmail", message: `is not an active member's address: ${ownerEmail}` });
  }
  const parsed = NewContract.safeParse({
    ...Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, jsonOf(name, text)])),
    ownerId: ownerId ?? (issues.length > 0 ? "unknown" : undefined),
    customFields,
  });
  for (const { path, message } of parsed.error?.issues ?? []) {
    issues.push({
      path: path.join("."),
      message: values[String(path[0])] === undefined ? "is required" : message,
    });
  }
  if (status !== undefined && !importable.includes(status as ParsedRow["status"])) {
    issues.push({ path: "status", message: `must be one of ${importable.join(", ")}` });
  }
  const named = counterpartyName === null ? null : NewCounterparty.shape.name.safeParse(counterpartyName);
  for (const { message } of named?.error?.issues ?? []) issues.push({ path: "counterpartyName", message });
  if (!parsed.success || issues.length > 0) return { wanted: null, issues };
  const contract = parsed.data;
  const wanted = { contract, status: (status ?? "DRAFT") as ParsedRow["status"], counterpartyName, fileName };
  return { wanted, issues };
}

/** A contract that is out for signature has a request, which no row can say. */
const importable: readonly ParsedRow["status"][] = contractStatuses.filter(
  (status) => status !== "OUT_FOR_SIGNATURE",
);

/** A cell as JSON would have it. */
function jsonOf(name: string, text: string): unknown {
  if (name === "tags") return tagsOfCell(text);
  const { cast } = columns[name as ColumnName];
  if (cast === "int") return numberOr(text);
  return cast === "boolean" ? parseBoolean(text) : text;
}

const numberOr = (text: string): number | string => (/^\d{1,6}$/.test(text) ? Number(text) : text);

function parseBoolean(text: string): boolean | string {
  if (/^(true|yes|1)$/i.test(text)) return true;
  return /^(false|no|0)$/i.test(text) ? false : text;
}
