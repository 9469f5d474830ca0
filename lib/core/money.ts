/** Amounts as stored, in minor units, and as people read and write them, with a currency's decimals. */

/** The largest amount that the database can store. */
export const largestCents = 9223372036854775807n;

/** The ISO 4217 currencies whose minor unit is not a hundredth, by their decimals. */
const uncommonDecimals: readonly [decimals: number, codes: string][] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];

/**
 * The number of decimals of a currency: 2 for EUR, 0 for JPY. Not taken from Intl: if servers and browsers disagreed,
 * one would show a hundred times what the other stored. Throws RangeError for an invalid currency code.
 */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(currency);
  return uncommonDecimals.find(([, codes]) => codes.includes(currency))?.[0] ?? 2;
}

/**
 * Formats minor units as a decimal amount: `125005` is `1250.05` in EUR and `125005` in JPY. Without a currency, it has
 * two decimals.
 */
export function decimalAmount(cents: string, currency: string | null): string {
  const decimals = currency === null ? 2 : decimalsOf(currency);
  const digits = cents.padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
