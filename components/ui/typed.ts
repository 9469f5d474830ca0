/** Parses and checks what is typed into forms, in the same way in all of them. */

/**
 * Parses a whole number: `12`, or `12.0` as spreadsheets write it. Null if it is empty; NaN if it is not a
 * whole number, such as `1e2`.
 */
export function parseWholeNumber(typed: unknown): number | null {
  const text = String(typed ?? "").trim();
  if (text === "") return null;
  return /^\d+(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** The error of a date whose year is incomplete: browsers read `26` as the year 0026. */
export const shortYear = "must have a year of four digits, 1900 or later";

export const hasShortYear = (day: unknown): boolean =>
  typeof day === "string" && /^\d{4}-\d\d-\d\d/.test(day) && day < "1900";
