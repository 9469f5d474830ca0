/** Amounts as they are stored, in minor units, and as people read and write them, with a currency's decimals. */

/** The most that the database holds. */
export const largestCents = 9223372036854775807n;

/** The currencies of ISO 4217 whose minor unit is no hundredth, by their decimals. */
const uncommonDecimals: readonly [decimals: number, codes: string][] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];

/**
 * How many decimals a currency has: 2 for EUR, 0 for JPY. Not taken from Intl: if servers and browsers disagreed, one
 * would show a hundred times what the other stored. Throws RangeError for an invalid currency code.
 */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(currency);
  return uncommonDecimals.find(([, codes]) => codes.includes(currency))?.[0] ?? 2;
}

/**
 * Minor units as a decimal amount: `125005` is `1250.05` in EUR, `125005` in JPY, and has two decimals without a
 * currency.
 */
export function decimalAmount(cents: string, currency: string | null): string {
  const decimals = currency === null ? 2 : decimalsOf(currency);
  const digits = cents.padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
