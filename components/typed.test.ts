import { expect, test } from "@playwright/test";
import { wholeFrom } from "./typed.ts";

test("a whole number is typed in digits, and nothing else is one", () => {
  for (const [typed, whole] of [
    ["12", 12],
    [" 12 ", 12],
    ["12.0", 12],
    ["0", 0],
    [12, 12],
  ] as const) {
    expect(wholeFrom(typed), String(typed)).toBe(whole);
  }
  for (const nothing of ["", "  ", null, undefined]) expect(wholeFrom(nothing)).toBeNull();
  for (const none of ["1e2", "0x10", "+12", "-1", "12.", "12.5", "1,200", "twelve", "Infinity", "१२"]) {
    expect(wholeFrom(none), none).toBeNaN();
  }
});
