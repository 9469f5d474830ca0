/** Amounts as they are stored, in minor units, and as people read and write them, with a currency's decimals. */

/** Units of account, funds and metals: ISO 4217 has them, and Unicode's list of currencies does not. */
const besideUnicode = "BOV CHE CHW CLF COU MXV USN UYI UYW VED XAG XAU XBA XBB XBC XBD XPD XPT XSU XUA";

/** The codes of ISO 4217 as this machine knows them: a browser may know them a little differently. */
export const currencies: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf("currency"), ...besideUnicode.split(" ")]),
].sort();

const known = new Map<string, number>();

/** How many decimals an amount of this currency has: 2 of EUR, 0 of JPY. Throws RangeError for what is no code of a currency. */
export function decimalsOf(currency: string): number {
  const decimals = known.get(currency) ?? readDecimals(currency);
  known.set(currency, decimals);
  return decimals;
}

/** Asking for it takes twenty microseconds. */
function readDecimals(currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Minor units with their decimals: `125005` of EUR is `1250.05`, of JPY `125005`; of no currency as of most. */
export function decimalAmount(cents: string, currency: string | null): string {
  const decimals = currency === null ? 2 : decimalsOf(currency);
  const digits = cents.padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
