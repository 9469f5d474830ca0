/** What people type into forms, read in one way by all of them. */

/** A whole number: `12`, or `12.0` as tables write it. Null where nothing is typed; NaN for what is none, such as `1e2`. */
export function wholeFrom(typed: unknown): number | null {
  const text = String(typed ?? "").trim();
  if (text === "") return null;
  return /^\d+(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** What is wrong with a day whose year was not typed to its end: of `26` the browser makes the year 0026. */
export const shortYear = "must have a year of four digits, 1900 or later";

export const hasShortYear = (day: unknown): boolean =>
  typeof day === "string" && /^\d{4}-\d\d-\d\d/.test(day) && day < "1900";
