/** What people type into forms, read in one way by all of them. */

/** A whole number: `12`, or `12.0` as tables write it. Null where nothing is typed; NaN for what is none, such as `1e2`. */
export function wholeFrom(typed: unknown): number | null {
  const text = String(typed ?? "").trim();
  if (text === "") return null;
  return /^\d+(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
}
