/** Amounts as people type them, and minor units as the API wants them. */
import { decimalsOf } from "#lib/core/money.ts";

const amountPattern = /^(\d{1,3}(?:[, ]?\d{3})*|\d+)(?:\.(\d+))?$/;

/** Whether it is an amount in some currency. */
export function looksLikeAmount(amount: string): boolean {
  return amountPattern.test(amount.trim());
}

/** `12,500.5` in dollars → `1250050`. Null for what is no amount, or has more decimals than the currency. */
export function centsFrom(amount: string, currency: string): string | null {
  const most = decimalsOf(currency);
  const [, units, decimals = ""] = amountPattern.exec(amount.trim()) ?? [];
  if (units === undefined || decimals.length > most) return null;
  return `${units.replace(/[, ]/g, "")}${decimals.padEnd(most, "0")}`.replace(/^0+(?=\d)/, "");
}
