/** A whole CSV by its mapping, each cell as the API would have it; runs in the child process alone. */
import { readFile } from "node:fs/promises";
import { type Row, type RowError, readRecords, rowsOf } from "#lib/contracts/import/rows.ts";
import { contractStatuses, contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { decimalsOf } from "#lib/core/money.ts";
import type { DateOrder } from "./catalogue.ts";
import { isMarkOf, onlyCurrencyOf } from "./currency-marks.ts";
import type { Mapping } from "./schema.ts";

interface Reading {
  path: string;
  mapping: Mapping;
  /** Whose rows name no owner. */
  ownerId: string;
  /** Of amounts beside which no currency stands. */
  currency: string;
  /** The columns of custom fields that are days. */
  dayColumns: string[];
}

export interface ReadRow extends Row {
  /** What the file has, by the API's names. */
  cells: Record<string, string>;
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
    return { line, values: asTheApi(given, { dateOrder, currency, dayColumns }), cells: cellsOf(values) };
  });
  return { rows, errors: read.errors };
}

const cellCharacters = 80;

function cellsOf({ value, ...values }: Record<string, string>): Record<string, string> {
  const cells = value === undefined ? values : { valueCents: value, ...values };
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, cell.slice(0, cellCharacters).toWellFormed()]),
  );
}

/** What cannot be read as meant stays as it is: the field's own rule then says what is wrong with it. */
function asTheApi(
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

/** As the lists of the pages have them, too. */
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
/** `250.500` is a quarter of a thousand dinars, and a quarter of a million of what has no third decimal. */
const eitherWay = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** An amount, and what names its currency before it or behind it. */
const written = /^(?<before>[\p{Sc}A-Z]{0,4})\s*(?<amount>\S.*?)\s*(?<behind>[\p{Sc}A-Z]{0,4})$/su;
const longestAmount = 100;

/**
 * `12,500.50`, `12.500,50` and `€ 12 500` alike. What stands beside an amount may say in which currency it is, as € does;
 * $ is the one of the column or the workspace. Where it contradicts the column, or can be any of several, it is not read.
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
 * Where a currency has three decimals, three digits behind the only point are decimals; behind the only comma they may
 * be either, and no one is asked to guess.
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
