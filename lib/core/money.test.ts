import { expect, test } from "@playwright/test";
import { decimalAmount, decimalsOf } from "./money.ts";
import { currencies } from "./wire.ts";

test("amounts in minor units get their currency's decimals, and keep every digit", () => {
  expect(decimalAmount("125005", "EUR")).toBe("1250.05");
  expect(decimalAmount("5", "EUR")).toBe("0.05");
  expect(decimalAmount("0", "JPY")).toBe("0");
  expect(decimalAmount("125005", "JPY")).toBe("125005");
  expect(decimalAmount("1", "KWD")).toBe("0.001");
  expect(decimalAmount("9007199254740993", "USD")).toBe("90071992547409.93");
});

test("a currency's decimals follow ISO 4217, not the machine's Intl data", () => {
  const { NumberFormat } = Intl;
  Intl.NumberFormat = (() => {
    throw new Error("Intl was asked");
  }) as unknown as typeof NumberFormat;
  try {
    for (const code of ["RSD", "HUF", "IDR", "COP", "EUR", "USD"]) expect(decimalsOf(code), code).toBe(2);
    for (const code of ["JPY", "KRW", "ISK", "UYI", "XAF"]) expect(decimalsOf(code), code).toBe(0);
    for (const code of ["KWD", "IQD", "TND"]) expect(decimalsOf(code), code).toBe(3);
    for (const code of ["CLF", "UYW"]) expect(decimalsOf(code), code).toBe(4);
    expect(decimalAmount("1250050", "RSD")).toBe("12500.50");
  } finally {
    Intl.NumberFormat = NumberFormat;
  }
});

test("an invalid currency code is refused every time", () => {
  for (const _ of [1, 2]) expect(() => decimalsOf("EURO")).toThrow(RangeError);
});

test("the currencies include units of account and metals, are sorted and unique, and have known decimals", () => {
  for (const code of ["EUR", "JPY", "CLF", "UYW", "XAU", "XCG", "SLE", "ZWG"])
    expect(currencies, code).toContain(code);
  for (const code of ["XYZ", "eur", ""]) expect(currencies, code).not.toContain(code);
  for (const code of currencies) expect(decimalsOf(code), code).toBeGreaterThanOrEqual(0);
  expect(currencies).toEqual([...new Set(currencies)].sort());
});
