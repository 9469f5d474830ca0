/** How lines of text say what the data has as codes and timestamps. */
import { decimalAmount } from "#lib/core/money.ts";

/** A code as words: `IN_REVIEW` is "in review". */
export const words = (code: string) => code.toLowerCase().replaceAll("_", " ");

/** The day of a timestamp; dates of contracts have no other part. */
export const day = (timestamp: string | null) => timestamp?.slice(0, 10) ?? null;

/** An amount with its currency, from minor units. */
export function money(cents: string | null, currency: string | null): string | null {
  if (cents === null) return null;
  const amount = decimalAmount(cents, currency);
  return currency === null ? amount : `${amount} ${currency}`;
}

/** What is there of these, as a list in a sentence. */
export const joined = (...parts: (string | null | undefined | false)[]) => parts.filter(Boolean).join(", ");

/** "1 contract", "2 contracts"; a plural that is not made with an s is given. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;

/** A title or a name in a line, in quotation marks that it cannot end: people chose it, also such as have no account. */
export const titled = (title: string) => `“${title.replace(/[“”]/g, '"')}”`;
