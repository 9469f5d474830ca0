/** Amounts as people type them, and minor units as the API wants them. */

const digitsOf = (currency: string) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

const amountPattern = /^(\d{1,3}(?:[, ]?\d{3})*|\d+)(?:\.(\d+))?$/;

/** Whether it is an amount in some currency. */
export function looksLikeAmount(amount: string): boolean {
  return amountPattern.test(amount.trim());
}

/** `12,500.5` in dollars → `1250050`. Null for what is no amount, or has more decimals than the currency. */
export function centsFrom(amount: string, currency: string): string | null {
  const digits = digitsOf(currency);
  const [, units, decimals = ""] = amountPattern.exec(amount.trim()) ?? [];
  if (units === undefined || decimals.length > digits) return null;
  return `${units.replace(/[, ]/g, "")}${decimals.padEnd(digits, "0")}`.replace(/^0+(?=\d)/, "");
}

/** `1250050` in dollars → `12500.50`, as an input shows it. */
export function amountFrom(cents: string, currency: string): string {
  const digits = digitsOf(currency);
  if (digits === 0) return cents;
  const padded = cents.padStart(digits + 1, "0");
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}
