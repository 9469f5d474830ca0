"use client";
/** Formats amounts of money. */
import { decimalAmount } from "#lib/core/money.ts";

const amounts = new Map<string, Intl.NumberFormat>();

/**
 * Currencies whose symbol is the same in all versions of Unicode's locale data. Those of others may differ
 * between a browser and the server.
 */
const withSymbol = new Set("AUD BRL CAD CNY EUR GBP INR JPY KRW MXN NZD USD".split(" "));

/**
 * Returns a currency's number format, cached because creating one is slow. It is the same on the server and
 * in every browser.
 */
function amountIn(currency: string, digits: number): Intl.NumberFormat {
  const key = `${currency} ${digits}`;
  const known = amounts.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: withSymbol.has(currency) ? "symbol" : "code",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  amounts.set(key, made);
  return made;
}

/** Formats minor units as an amount of money; whole amounts without cents. */
export function moneyText(cents: string, currency: string): string {
  const amount = decimalAmount(cents, currency);
  const [units = "", rest = ""] = amount.split(".");
  // A string, because a number holds no more than 15 digits.
  const shown = (/^0*$/.test(rest) ? units : amount) as `${number}`;
  return amountIn(currency, shown === amount ? rest.length : 0).format(shown);
}

export function Money({
  cents,
  currency,
  empty = "–",
}: {
  cents: string | null;
  currency: string | null;
  empty?: string;
}) {
  if (cents === null || currency === null) return <span className="text-faint">{empty}</span>;
  return <span className="whitespace-nowrap tabular-nums">{moneyText(cents, currency)}</span>;
}
