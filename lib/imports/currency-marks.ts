/** What people write next to an amount for its currency: the code, or a sign that other currencies may share. */
import { currencies } from "#lib/core/wire.ts";

let known: Map<string, Set<string>> | undefined;

/** The currencies of each mark. Created on first use, because it takes a tenth of a second. */
function byMark(): Map<string, Set<string>> {
  if (known) return known;
  known = new Map();
  for (const currency of currencies) {
    for (const mark of marksOf(currency)) known.set(mark, (known.get(mark) ?? new Set()).add(currency));
  }
  return known;
}

/** For example `CAD`, `$`, `CA$` and `C$`. */
function marksOf(currency: string): string[] {
  const sign = signOf(currency, "narrowSymbol");
  const ofCountry = [1, 2].map((letters) => `${currency.slice(0, letters)}${sign}`);
  return [currency, sign, signOf(currency, "symbol"), ...ofCountry];
}

function signOf(currency: string, currencyDisplay: "narrowSymbol" | "symbol"): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay });
  return format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? currency;
}

export const isMarkOf = (mark: string, currency: string) => byMark().get(mark)?.has(currency) ?? false;

/** The currency of a code, or of a sign that no other currency has; null for any other mark. */
export function onlyCurrencyOf(mark: string): string | null {
  const [only, ...others] = byMark().get(mark) ?? [];
  const isClear = /^([A-Z]{3}|\p{Sc})$/u.test(mark);
  return isClear && only !== undefined && others.length === 0 ? only : null;
}
