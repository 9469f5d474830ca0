/** Formats codes, timestamps and amounts for lines of text. */
import { decimalAmount } from "#lib/core/money.ts";

/** Formats a code as words: `IN_REVIEW` becomes "in review". */
export const words = (code: string) => code.toLowerCase().replaceAll("_", " ");

/** Returns the day of a timestamp. Dates of contracts have no time of day. */
export const day = (timestamp: string | null) => timestamp?.slice(0, 10) ?? null;

/** Formats an amount in minor units, with its currency. */
export function money(cents: string | null, currency: string | null): string | null {
  if (cents === null) return null;
  const amount = decimalAmount(cents, currency);
  return currency === null ? amount : `${amount} ${currency}`;
}

/** Joins the parts that are not empty, as a list in a sentence. */
export const joined = (...parts: (string | null | undefined | false)[]) => parts.filter(Boolean).join(", ");

/** "1 contract", "2 contracts". Irregular plurals are passed as `many`. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;

/** Puts a title or a name in quotation marks that it cannot end. Others chose it, perhaps without having an account. */
export const titled = (title: string) => `“${title.replace(/[“”]/g, '"')}”`;
