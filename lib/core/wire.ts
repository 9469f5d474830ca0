/** The value formats shared by every part of the API: ids, timestamps, money, text. Isomorphic. */
import { z } from "zod";
import { type IdKind, idPrefixes } from "./ids.ts";
import { largestCents } from "./money.ts";

const isStorable = (text: string) => !text.includes("\u0000") && text.isWellFormed();

/** An id in a response. */
export const idOut = (kind: IdKind) =>
  z.string().meta({ example: `${idPrefixes[kind]}_01jz3m5k8pe9qs4vnhb6w2x0ra` });

/**
 * An id in a path. Any text is accepted: it identifies something in the workspace, or nothing is found. Text that the
 * database cannot store becomes an id that identifies nothing.
 */
export const pathId = (kind: IdKind) =>
  z
    .string()
    .overwrite((id) => (isStorable(id) ? id : ""))
    .meta({ example: `${idPrefixes[kind]}_01jz3m5k8pe9qs4vnhb6w2x0ra` });

/** An id in a request. The domain checks whether it identifies something in the workspace. */
export const idIn = (kind: IdKind) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(100, "is not an id")
    .refine(isStorable, { error: "is not an id" })
    .meta({ example: `${idPrefixes[kind]}_01jz3m5k8pe9qs4vnhb6w2x0ra` });

/** A timestamp in a response: ISO 8601, UTC, with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ example: "2026-01-01T00:00:00.000Z" });

const iso8601 = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(\.\d+)?(?:(Z)|([+-]\d\d):?(\d\d)?))?$/i;

/** Parses an ISO 8601 timestamp; null if it is not one, or not a valid calendar day. */
function parseTimestamp(text: string): Date | null {
  const [match, day, minutes = "00:00", seconds = ":00", fraction = "", , hours, rest = "00"] =
    iso8601.exec(text) ?? [];
  if (!match || !z.iso.date().safeParse(day).success) return null;
  const moment = new Date(`${day}T${minutes}${seconds}${fraction}${hours ? `${hours}:${rest}` : "Z"}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** A timestamp in a request: ISO 8601 with any offset, or a date, which means midnight UTC. */
export const timestampIn = z
  .string()
  .trim()
  .refine((text) => parseTimestamp(text) !== null, {
    error: "must be an ISO 8601 timestamp with an offset, or a date such as 2026-01-31",
    abort: true,
  })
  .transform((text) => parseTimestamp(text) ?? new Date(Number.NaN))
  .refine((date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999, {
    error: "must be in the years 1 to 9999",
  })
  .meta({
    format: "date-time",
    description: "ISO 8601 with an offset, or YYYY-MM-DD (midnight UTC)",
    example: "2026-01-01T00:00:00.000Z",
  });

/** A calendar day in a request. */
export const dayIn = z.iso
  .date({ error: "must be a date such as 2026-01-31", abort: true })
  .refine((day) => day >= "0001", { error: "must be in the years 1 to 9999" })
  .meta({ example: "2026-01-31" });

const trimmed = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `must be at most ${max} characters`)
    .refine(isStorable, { error: "must be valid Unicode without NUL characters", abort: true });

/** Text that is kept exactly as it is, such as a template's tag: only what the database cannot store is refused. */
export const rawText = (max: number) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine(isStorable, "must be valid Unicode without NUL characters");

/** Line breaks, tabs and other control characters: in a name they could mislead readers of a list or a log. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** The same except tabs and line breaks. */
const controlInLines = /[^\P{Cc}\t\n\r]/u;

/** Single-line text, such as a name or a title; may be empty. Trimmed, no control characters. */
export const text = (max = 500) =>
  trimmed(max).refine((value) => !control.test(value), {
    error: "must not contain line breaks or control characters",
  });

/** Multi-line text, such as notes or a reason; may be empty. Trimmed, tabs and line breaks allowed. */
export const lines = (max = 500) =>
  trimmed(max).refine((value) => !controlInLines.test(value), {
    error: "must not contain control characters other than tabs and line breaks",
  });

/** Text of at least one character. */
export const requiredText = (max = 500) => text(max).min(1, "must not be empty");

export const name = requiredText(200);
export const longText = lines(20_000);

/** Multi-line text of at least one character. */
export const requiredLines = (max = 500) => lines(max).min(1, "must not be empty");

/** An e-mail address. Case is kept; two that differ only by case belong to the same person. */
export const email = z
  .string()
  .trim()
  .max(320, "must be at most 320 characters")
  .pipe(z.email({ error: "must be an e-mail address" }))
  .meta({ format: "email", example: "dana@northwind.example" });

/** Clears a nullable field when the text is null or empty. */
export const clearable = <T extends z.ZodType<string | null>>(schema: T) =>
  schema.transform((value) => value || null);

const notCents = `must be a whole number of minor units from 0 to ${largestCents}, as digits or a safe integer`;

/** Minor units in a request: digits, or a safe integer. */
export const centsIn = z
  .union(
    [
      z
        .string()
        .trim()
        .regex(/^\d{1,19}$/, notCents),
      z.int(notCents).nonnegative(notCents),
    ],
    { error: notCents },
  )
  .transform((value) => BigInt(value))
  .refine((value) => value <= largestCents, { error: notCents })
  .meta({ description: "Minor units, as a string of digits or a safe integer", example: "1250000" });

export const centsOut = z.string().regex(/^\d+$/).meta({ description: "Minor units", example: "1250000" });

/** ISO 4217 currencies missing from Unicode's list, or from some versions of it. */
const besideUnicode =
  "BOV CHE CHW CLF COU MXV SLE USN UYI UYW VED XAG XAU XBA XBB XBC XBD XCG XPD XPT XSU XUA ZWG";

/** The ISO 4217 codes that this machine knows; a browser's list may differ slightly. */
export const currencies: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf("currency"), ...besideUnicode.split(" ")]),
].sort();
const known = new Set(currencies);

export const currency = z
  .string()
  .trim()
  .refine((code) => known.has(code), { error: "must be an ISO 4217 code in upper case, such as USD" })
  .meta({ pattern: "^[A-Z]{3}$", example: "USD" });

export const months = (max: number) =>
  z
    .number({ error: "must be a whole number of months" })
    .int("must be a whole number of months")
    .min(1, "must be at least 1")
    .max(max, `must be at most ${max}`);

/** An enumeration; the error message lists its values. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, {
    error: ({ input }) => (input === undefined ? "is required" : `must be one of ${values.join(", ")}`),
  });

/** For a rule across several fields: it is checked and reported together with the issues of single fields. */
export const alongsideFieldIssues = { when: () => true };

/** True or false, as text in a query or as JSON. */
export const booleanIn = z
  .union([z.boolean(), z.enum(["true", "false"])], { error: "must be true or false" })
  .transform((value) => value === true || value === "true")
  .meta({ type: "boolean" });

/** The text of a search; an empty one matches everything. */
export const searchText = lines(200)
  .transform((value) => value || undefined)
  .optional();

/** A whole number of at least 1, as digits in a query or as a number. Above `most` it counts as `most`. */
export function wholeNumber(error: string, most: number) {
  return z
    .union([z.string().regex(/^\d+$/, error), z.int(error)], { error })
    .transform(Number)
    .refine((value) => value >= 1, { error })
    .transform((value) => Math.min(value, most))
    .meta({ type: "integer", minimum: 1 });
}

/** The page of a list, counted from 1. */
const notAPage = "must be a whole number, counted from 1";
export const page = z
  .union([z.string().regex(/^\d+$/, notAPage), z.number().int(notAPage)], { error: notAPage })
  .transform(Number)
  .refine((value) => value >= 1, { error: notAPage })
  .refine((value) => value <= Number.MAX_SAFE_INTEGER, {
    error: `must be at most ${Number.MAX_SAFE_INTEGER}`,
  })
  .meta({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  .default(1);

/** The number of rows before a page, at most the largest 32-bit integer: no list is that long. */
export function pageOffset({ page, pageSize }: { page: number; pageSize: number }): number {
  return Math.min((page - 1) * pageSize, 2_147_483_647);
}

export const direction = choice(["desc", "asc"]).default("desc");

/** A page of a collection. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    page: z.int().meta({ example: 1 }),
    pageSize: z.int().meta({ example: 50 }),
    total: z.int().meta({ example: 1 }),
    pageCount: z.int().meta({ example: 1 }),
  });

/** The response for a page of rows. */
export function paged<Row>(data: Row[], at: { page: number; pageSize: number; total: number }) {
  return { data, ...at, pageCount: Math.ceil(at.total / at.pageSize) };
}

/** Sorts a complete collection by name, in the order people expect, then by id. */
export function sortedByName<Row extends { name: string; id: string }>(rows: Row[]): Row[] {
  // Sorting by lower case first is cheap and nearly gives that order, so the collator has little left to compare.
  return rows
    .map((row) => ({ row, letters: row.name.toLowerCase() }))
    .sort((a, b) => (a.letters < b.letters ? -1 : Number(a.letters > b.letters)))
    .map(({ row }) => row)
    .sort((a, b) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

const collator = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/** Converts dates and bigints to strings for JSON, and leaves everything else as it is. */
export function toJsonValue(value: unknown): unknown {
  if (value === null || typeof value !== "object") {
    return typeof value === "bigint" ? value.toString() : value;
  }
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJsonValue);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonValue(inner)]));
}

/** Escapes LIKE's wildcards in a text. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** An ILIKE pattern for text that contains this one, with wildcards escaped. */
export const containsPattern = (text: string) => `%${escapeLike(text)}%`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, in an element or in a quoted attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
