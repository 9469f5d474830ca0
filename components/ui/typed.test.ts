import { expect, test } from "@playwright/test";
import { hasShortYear, parseWholeNumber } from "./typed.ts";

test("a whole number must be typed in ASCII digits", () => {
  for (const [typed, whole] of [
    ["12", 12],
    [" 12 ", 12],
    ["12.0", 12],
    ["0", 0],
    [12, 12],
  ] as const) {
    expect(parseWholeNumber(typed), String(typed)).toBe(whole);
  }
  for (const nothing of ["", "  ", null, undefined]) expect(parseWholeNumber(nothing)).toBeNull();
  for (const none of ["1e2", "0x10", "+12", "-1", "12.", "12.5", "1,200", "twelve", "Infinity", "१२"]) {
    expect(parseWholeNumber(none), none).toBeNaN();
  }
});

test("a year must have four digits and be 1900 or later", () => {
  for (const short of ["0026-03-01", "0002-03-01", "1899-12-31"])
    expect(hasShortYear(short), short).toBe(true);
  for (const whole of ["1900-01-01", "2026-03-01", "", null]) {
    expect(hasShortYear(whole), String(whole)).toBe(false);
  }
});
