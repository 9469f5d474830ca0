/**
 * Dates as contracts write them: "1st day of June, 2001", "June 1, 2001", "01 April 2006", "12-Mar-2026", "6/1/01",
 * "1.4.2011".
 */
import { en } from "chrono-node";
import { ordinalOf, ordinalWords } from "./durations.ts";

export interface FoundDate {
  /** YYYY-MM-DD. */
  date: string;
  start: number;
  end: number;
}

const months =
  "(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\\.?";
/** "1s t": how some converters write superscripts. */
const day = `(?:${ordinalWords}\\s(?:\\(\\d{1,2}(?:st|nd|rd|th)?\\)\\s)?(?=(?:day|of)\\b)|\\(?\\d{1,2}\\s?(?:s\\s?t|n\\s?d|r\\s?d|t\\s?h)?\\)?)`;
const year = "(?:19|20)\\d\\s?\\d";
const forms = [
  `(?:the\\s)?${day}(?:[-‐‑]|\\s{0,2}(?:day\\s)?(?:of\\s)?)${months}[-‐‑,]?\\s?(?:of\\s)?(?:(?:in\\s)?the\\syear\\s(?:of\\sour\\slord\\s)?)?,?\\s?${year}`,
  `${months}[-‐‑\\s]?${day}\\s?[-‐‑,]?\\s?${year}`,
  "\\d{1,2}[/-]\\d{1,2}[/-](?:(?:19|20)\\d\\d|\\d\\d)(?![\\d/-])",
  "\\d{1,2}\\.\\d{1,2}\\.(?:19|20)\\d\\d",
  "(?:19|20)\\d\\d([-/])\\d\\d\\1\\d\\d",
];
const date = new RegExp(`(?<=\\b(?:of|on)|(?<![\\w/.-]))(?:${forms.join("|")})(?!\\w)`, "gi");

/**
 * All complete dates in a text, in order; dates without day, month or year are left out. "3/4/2026" is in March
 * unless the document writes the day first.
 */
export function datesOf(text: string, isDayFirst = false): FoundDate[] {
  return [...text.matchAll(date)].flatMap((match) => {
    const found = dayOf(isDayFirst ? match[0].replace(inFigures, "$3$2$1$2$4") : match[0]);
    return found ? [{ date: found, start: match.index, end: match.index + match[0].length }] : [];
  });
}

const inFigures = /^(\d{1,2})(?=([/-]))\2(0?\d|1[0-2])\2(\d{2,4})$/;
const figuresOf = /(?<![\w/.-])(\d{1,2})([/-])(\d{1,2})\2(?:(?:19|20)\d\d|\d\d)(?![\w/-])/g;

/**
 * Whether a document writes the day before the month: true if one of its dates allows only that, and none only the
 * opposite.
 */
export function writesDayFirst(text: string): boolean {
  let isDayFirst = false;
  for (const [, first, , second] of text.matchAll(figuresOf)) {
    if (Number(second) > 12 && Number(second) <= 31 && Number(first) <= 12) return false;
    if (Number(first) > 12 && Number(first) <= 31 && Number(second) <= 12) isDayFirst = true;
  }
  return isDayFirst;
}

function dayOf(text: string): string | null {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  if (dotted) return real(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const plain = text
    .replace(new RegExp(`\\b${ordinalWords}\\b(?:\\s?\\(\\w{1,4}\\))?(?=\\s(?:day|of)\\b)`, "i"), (word) =>
      String(ordinalOf(word)),
    )
    .replace(/(?<=[a-z.])[-‐‑]|[-‐‑](?=[a-z])/gi, " ")
    .replace(/(?<=[a-z][-‐‑\s.]{1,2}\d{1,2})[-‐‑]/i, " ")
    .replace(/(\d)\s?(?:s\s?t|n\s?d|r\s?d|t\s?h)\b/gi, "$1")
    .replace(/[()]/g, "")
    .replace(/\b(?:the|day|of|in|year|our|lord)\b/gi, " ")
    .replace(/(\d{3})\s(\d)$/, "$1$2")
    .replace(/([a-z])\.?(\d)/gi, "$1 $2")
    .replace(/[\s,]+/g, " ")
    .trim();
  const [parsed] = en.strict.parse(plain.replaceAll("-", /^\d{4}-/.test(plain) ? "-" : "/"));
  const start = parsed?.start;
  if (!start?.isCertain("day") || !start.isCertain("month") || !start.isCertain("year")) return null;
  return real(start.get("year")!, start.get("month")!, start.get("day")!);
}

function real(y: number, m: number, d: number): string | null {
  const made = new Date(Date.UTC(y, m - 1, d));
  const isReal = made.getUTCMonth() === m - 1 && made.getUTCDate() === d;
  return isReal && y >= 1900 && y < 2200 ? made.toISOString().slice(0, 10) : null;
}
