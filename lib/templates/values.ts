/** The values that go into a document: which are accepted for a variable, and how they are printed. */
import { type Day, dayOf } from "#lib/core/dates.ts";
import { decimalAmount, decimalsOf } from "#lib/core/money.ts";
import { currencies } from "#lib/core/wire.ts";
import type { VariableType } from "./schema.ts";

export type Value =
  | { type: "text" | "textarea" | "select" | "email" | "date"; text: string }
  | { type: "number"; number: number; text: string }
  | { type: "currency"; number: number; text: string; currency: string }
  | { type: "boolean"; boolean: boolean };

/** What a caller may send for a variable. */
export type RawValue = string | number | boolean;

interface ValueSpec {
  type: VariableType;
  options: string[];
  /** The currency of an amount without one. */
  currency: string;
}

export const maxTextLength = 500;
const longestTextarea = 20_000;

/** The parsed value, or a message that says what is wrong with it. Null: nothing was given. */
export function parseValue(given: RawValue, meaning: ValueSpec): Value | string | null {
  const text = String(given).trim();
  if (text === "") return null;
  switch (meaning.type) {
    case "boolean":
      return parseBoolean(text);
    case "number":
      return parseNumber(text);
    case "currency":
      return parseAmount(text, meaning.currency);
    case "date":
      return isDay(text) ? { type: "date", text } : "must be a date such as 2026-01-31";
    case "select":
      if (meaning.options.includes(text)) return { type: "select", text };
      return `must be one of ${meaning.options.join(", ")}`;
    case "email":
      if (text.length > 320 || !/^[^\s@<>{}]+@[^\s@<>{}]+$/.test(text)) return "must be an e-mail address";
      return wording(text, "email", 320);
    case "text":
      if (/[\r\n]/.test(text)) return "must be one line";
      return wording(text, "text", maxTextLength);
    case "textarea":
      return wording(text.replace(/\r\n?/g, "\n"), "textarea", longestTextarea);
  }
}

/** Characters that no XML document can contain, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function wording(text: string, type: "text" | "textarea" | "email", longest: number): Value | string {
  if ([...text].length > longest) return `must be at most ${longest} characters`;
  if (text.search(unprintable) >= 0) return "must not contain control characters";
  if (!text.isWellFormed()) return "must be valid Unicode";
  if (text.includes("{{") || text.includes("}}")) {
    return "must not contain {{ or }}: in a document they mark the places for signatures";
  }
  return { type, text };
}

/** Makes workspace data printable: it was not written for this document, so nothing is rejected. */
export function printable(known: string): string {
  const text = known.toWellFormed().replace(unprintable, "");
  return text
    .replace(/\{(?=\{)/g, "{ ")
    .replace(/\}(?=\})/g, "} ")
    .trim();
}

function parseBoolean(text: string): Value | string {
  if (text === "true" || text === "false") return { type: "boolean", boolean: text === "true" };
  return "must be true or false";
}

const decimal = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;

function parseNumber(text: string): Value | string {
  if (!decimal.test(text)) return "must be a number with at most 15 digits, such as 12 or 12.5";
  return { type: "number", number: Number(text), text };
}

const amount = /^(?:([A-Z]{3}) ?)?(-?(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?)$/;
const known = new Set(currencies);

function parseAmount(written: string, fallback: string): Value | string {
  const [match, currency = fallback, text = ""] = amount.exec(written) ?? [];
  if (!match || !known.has(currency)) return "must be an amount such as 1250.00 or EUR 1250.00";
  if ((text.split(".")[1] ?? "").length > decimalsOf(currency)) {
    return `must have at most ${decimalsOf(currency)} decimals in ${currency}`;
  }
  return { type: "currency", number: Number(text), text, currency };
}

/** An amount in minor units as `EUR 1250.00`. */
export const amountOf = (cents: string, currency: string) => `${currency} ${decimalAmount(cents, currency)}`;

function isDay(text: string): text is Day {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < "0001") return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

const months = "January February March April May June July August September October November December".split(
  " ",
);

/**
 * A value as printed in the document. English, whatever the server's locale: 31 January 2026, 1,250.5, EUR 1,250.00,
 * Yes. Digits are grouped as text, because a JavaScript number could not hold them all.
 */
export function printValue(value: Value): string {
  if (value.type === "boolean") return value.boolean ? "Yes" : "No";
  if (value.type === "number") return grouped(value.text);
  if (value.type === "date") {
    const [year, month, day] = value.text.split("-").map(Number);
    return `${day} ${months[month! - 1]} ${year}`;
  }
  if (value.type !== "currency") return value.text;
  const decimals = decimalsOf(value.currency);
  const [whole = "", fraction = ""] = value.text.split(".");
  const padded = decimals > 0 ? `.${fraction.padEnd(decimals, "0")}` : "";
  return `${value.currency} ${grouped(whole)}${padded}`;
}

function grouped(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
