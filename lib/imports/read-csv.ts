/** Reads a whole CSV by its mapping, with each cell as in the API. Runs only in the child process. */
import { readFile } from "node:fs/promises";
import { type RowError, readRecords, rowsOf } from "#lib/contracts/import/rows.ts";
import { contractStatuses, contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { decimalsOf } from "#lib/core/money.ts";
import type { DateOrder } from "./catalogue.ts";
import { isMarkOf, onlyCurrencyOf } from "./currency-marks.ts";
import { type Packed, pack, type ReadRow } from "./packed.ts";
import type { Mapping } from "./schema.ts";

interface Reading {
  path: string;
  mapping: Mapping;
  /** The owner for rows that name none. */
  ownerId: string;
  /** The currency of amounts without one. */
  currency: string;
  /** The columns of custom fields of the type date. */
  dayColumns: string[];
}

export async function readCsv({ path, mapping, ownerId, currency, dayColumns }: Reading): Promise<{
  rows: ReadRow[];
  errors: RowError[];
}> {
  const { header, records, errors } = readRecords(await readFile(path));
  if (errors.length > 0) return { rows: [], errors };
  const names = header.map((_, index) => mapping.fields[index] ?? null);
  const read = rowsOf(names, records);
  const { type, ourRole, dateOrder } = mapping;
  const rows = read.rows.map(({ line, values }) => {
    const given: Record<string, string> = { type, ourRole, ...values };
    if (given.ownerEmail === undefined) given.ownerId = ownerId;
    return { line, values: toApiValues(given, { dateOrder, currency, dayColumns }), cells: cellsOf(values) };
  });
  return { rows, errors: read.errors };
}

/** The same for another process. */
export async function readPacked(reading: Reading): Promise<Packed & { errors: RowError[] }> {
  const { rows, errors } = await readCsv(reading);
  return { ...pack(rows), errors };
}

const cellCharacters = 80;

function cellsOf({ value, ...values }: Record<string, string>): Record<string, string> {
  const cells = value === undefined ? values : { valueCents: value, ...values };
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, cell.slice(0, cellCharacters).toWellFormed()]),
  );
}

/** Converts cells to the API's values. Leaves a cell that it cannot convert, so that validation reports it. */
function toApiValues(
  values: Record<string, string>,
  { dateOrder, currency, dayColumns }: Pick<Reading, "currency" | "dayColumns"> & { dateOrder: DateOrder },
) {
  const { value, ...read } = values;
  for (const [name, known] of Object.entries(choices)) {
    if (read[name] !== undefined) read[name] = known.get(lettersOf(read[name])) ?? read[name];
  }
  for (const name of ["effectiveDate", "executedAt", ...dayColumns]) {
    if (read[name] !== undefined) read[name] = dayFrom(read[name], dateOrder) ?? read[name];
  }
  if (read.valueCurrency !== undefined) read.valueCurrency = read.valueCurrency.toUpperCase();
  if (value === undefined) return read;
  const amount = amountFrom(value, read.valueCurrency, currency);
  if (amount?.currency) read.valueCurrency = amount.currency;
  return { valueCents: amount?.cents ?? value, ...read };
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, "");

const choiceOf = (values: readonly string[], spoken: Record<string, string> = {}) =>
  new Map([...values.map((value) => [lettersOf(value), value] as const), ...Object.entries(spoken)]);

/** The values by the letters of their names, with other names that people use. */
const choices = {
  type: choiceOf(contractTypes, { letterofintent: "LOI", licence: "LICENSE" }),
  ourRole: choiceOf(ourRoles),
  status: choiceOf(contractStatuses),
};

function dayFrom(text: string, order: DateOrder): string | null {
  const [, a, b, c] = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/.exec(text) ?? [];
  if (!a || !b || !c) return null;
  const [year, month, day] = order === "YMD" ? [a, b, c] : order === "DMY" ? [c, b, a] : [c, a, b];
  if (year.length !== 4 || month.length > 2 || day.length > 2) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

const grouped =
  /^(?<units>[1-9]\d{0,2}(?<between>[,.' \u00a0\u202f’])\d{3}(?:\k<between>\d{3})*)(?:(?!\k<between>)[.,](?<decimals>\d+))?$/;
const plain = /^(?<units>\d+)(?:[.,](?<decimals>\d+))?$/;
/** `250.500` means 250½ in a currency with three decimals, such as dinars, and 250,500 in any other. */
const eitherWay = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** An amount, with a mark of its currency before or after it. */
const written = /^(?<before>[\p{Sc}A-Z]{0,4})\s*(?<amount>\S.*?)\s*(?<behind>[\p{Sc}A-Z]{0,4})$/su;
const longestAmount = 100;

/**
 * Reads `12,500.50`, `12.500,50` and `€ 12 500`. A mark may name the currency, as € does; $ stands for the currency of
 * the column or the workspace. Returns null if the mark contradicts the column or can mean several currencies.
 */
function amountFrom(text: string, column: string | undefined, usual: string) {
  const {
    before = "",
    amount = "",
    behind = "",
  } = (text.length <= longestAmount && written.exec(text)?.groups) || {};
  const [mark, ...more] = [before, behind].filter((each) => each !== "");
  const assumed = column ?? usual;
  const isAssumed = mark === undefined || isMarkOf(mark, assumed);
  const currency = isAssumed ? assumed : column === undefined ? onlyCurrencyOf(mark) : null;
  const cents = currency !== null && more.length === 0 ? centsFrom(amount, currency) : null;
  return cents === null ? null : { cents, currency: mark === undefined ? column : (currency ?? undefined) };
}

/**
 * In a currency with three decimals, three digits after the only point are decimals. After the only comma they could be
 * decimals or thousands, so this returns null.
 */
function centsFrom(amount: string, currency: string): string | null {
  const most = knownDecimalsOf(currency);
  if (most === null) return null;
  const isOpen = most >= 3 && eitherWay.test(amount);
  if (isOpen && amount.includes(",")) return null;
  const { units, decimals = "" } =
    ((isOpen ? null : grouped.exec(amount)) ?? plain.exec(amount))?.groups ?? {};
  if (units === undefined || decimals.length > most) return null;
  return `${units.replace(/\D/g, "")}${decimals.padEnd(most, "0")}`;
}

function knownDecimalsOf(currency: string): number | null {
  try {
    return decimalsOf(currency);
  } catch {
    return null;
  }
}
