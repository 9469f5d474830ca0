/** Converts amounts as typed to the API's minor units. */
import { moneyText } from "#components/money.tsx";
import { decimalsOf, largestCents } from "#lib/core/money.ts";

const amountPattern = /^(\d{1,3}(?:[, ]?\d{3})*|\d+)(?:\.(\d+))?$/;

/** Returns minor units: `12,500.5` in USD is `1250050`. Null if not an amount, or with too many decimals. */
export function centsFrom(amount: string, currency: string): string | null {
  const maxDecimals = decimalsOf(currency);
  const [, units, decimals = ""] = amountPattern.exec(amount.trim()) ?? [];
  if (units === undefined || decimals.length > maxDecimals) return null;
  return `${units.replace(/[, ]/g, "")}${decimals.padEnd(maxDecimals, "0")}`.replace(/^0+(?=\d)/, "");
}

/** Returns what is wrong with an amount in major units; undefined if it is valid or empty. */
export function amountIssue(amount: string, currency: string): string | undefined {
  if (amount.trim() === "") return undefined;
  const cents = centsFrom(amount, currency);
  const decimals = "0".repeat(decimalsOf(currency));
  if (cents === null) return `must be an amount such as 12,500${decimals && `.${decimals}`}`;
  const isTooLarge = cents.length > 19 || BigInt(cents) > largestCents;
  return isTooLarge ? `must be at most ${moneyText(String(largestCents), currency)}` : undefined;
}
