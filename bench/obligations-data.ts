/** Contracts and what lawyers marked in them, and the rules for when a proposal equals a mark. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { addDays, type Day } from "#lib/core/dates.ts";
import { lastDayOf } from "#lib/documents/terms/calendar.ts";
import { datesOf } from "#lib/documents/terms/dates.ts";
import { type Duration, durationsOf, monthsOf } from "#lib/documents/terms/durations.ts";

export interface Label {
  quotes: string[];
  /** As the lawyer wrote it: "6 months; 12 months", "successive 1 year", "6/1/01", "perpetual", "[]/[]/2015" or "". */
  answer: string;
}

export interface MarkedContract {
  id: string;
  text: string;
  labels: Record<string, Label>;
}

export async function readContracts(folder: string | undefined): Promise<MarkedContract[]> {
  if (!folder) throw new TypeError("bench obligations needs --data DIR.");
  const path = join(folder, "contracts.jsonl.gz");
  if (!existsSync(path)) throw new TypeError(`There is no file ${path}.`);
  const bytes = await readFile(path);
  const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  return text
    .toString("utf8")
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export const isEmpty = ({ quotes, answer }: Label) => quotes.length === 0 && /^(?:no)?$/i.test(answer);

/** No end date, or a place that is blank or redacted: there is no value to find. */
export const isOpen = (answer: string) => answer === "" || /perpetual|\[/i.test(answer);

/** Returns the lengths in an answer, in months or days. */
export function lengthsIn(answer: string): string[] {
  const plain = answer.replace(/(\d)\.5 years?/g, (_, years) => `${Number(years) * 12 + 6} months`);
  const counted = plain.replace(/\b\d+ (?=(?:successive )?\d+ (?:years?|months?|days?|weeks?)\b)/gi, "");
  return durationsOf(counted.replaceAll(/[;/]/g, " ; ")).map(keyOf);
}

/** Normalizes: 1 year is 12 months; 6 weeks are 42 days. */
export function keyOf(length: Duration): string {
  const months = monthsOf(length);
  if (months !== null) return `${months} months`;
  return `${length.unit === "WEEK" ? length.value * 7 : length.value} days`;
}

/** Returns the days in an answer such as "6/1/01" or "31/01/2025". */
export const daysIn = (answer: string) => datesOf(answer).map(({ date }) => date);

export function areNear(a: string, b: string, days: number): boolean {
  return Math.abs(Date.parse(a) - Date.parse(b)) <= days * 86_400_000;
}

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/**
 * Returns whether a day occurs in a text, however it is written: its year, and near it its month (as a word or number)
 * and its day. Looser than the reader, so that a day the reader misses does not count as absent.
 */
export function stands(day: string, text: string): boolean {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const short = String(year).slice(2);
  const years = new RegExp(`${String(year).slice(0, 3)}\\s?${String(year).slice(3)}|[/.-]${short}\\b`, "g");
  const months = new RegExp(`${monthNames[month - 1]}|\\b0?${month}\\b`, "i");
  const dates = new RegExp(`(?<!\\d)0?${date}(?!\\d)|${ordinalNames[date] ?? "(?!)"}`, "i");
  return [...text.matchAll(years)].some(({ index }) => {
    const near = text.slice(Math.max(0, index - 60), index + 5).replace(/\s+/g, " ");
    return months.test(near) && dates.test(near.slice(0, -4));
  });
}

const ordinalNames: Record<number, string> = { 1: "first", 2: "second", 3: "third", 5: "fifth", 10: "tenth" };

/** Returns whether a last day follows from a day that occurs in the text and a length that its mark mentions. */
export function isImplied(day: string, { quotes }: Label, bases: string[]): boolean {
  const lengths = quotes.flatMap((quote) => [
    ...durationsOf(quote.replace(/\s+/g, " ")),
    ...[...quote.matchAll(/(\w+)\s(?:\(\w+\)\s)?(?:annual )?anniversary/g)].flatMap(({ 1: nth = "" }) =>
      ordinals.includes(nth) ? [{ value: ordinals.indexOf(nth) + 1, unit: "YEAR" as const }] : [],
    ),
  ]);
  return bases.some((base) => lengths.some((length) => areNear(dayAfter(base, length), day, 1)));
}

const dayAfter = (base: string, length: Duration) => addDays(lastDayOf(base, length) as Day, 1);

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
