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

/** Every currency of ISO 4217's list of 2026, by its decimals; metals and units without decimals are left out. */
const iso4217 = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "),
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
    CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD
    HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK
    MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
    RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
    USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`.split(/\s+/),
  3: "BHD IQD JOD KWD LYD OMR TND".split(" "),
  4: "CLF UYW".split(" "),
};
const all = Object.values(iso4217).flat();

test("every currency's decimals follow ISO 4217, not the machine's Intl data", () => {
  const { NumberFormat } = Intl;
  Intl.NumberFormat = (() => {
    throw new Error("Intl was asked");
  }) as unknown as typeof NumberFormat;
  try {
    for (const [decimals, codes] of Object.entries(iso4217)) {
      expect(codes.filter((code) => decimalsOf(code) !== Number(decimals))).toEqual([]);
    }
    const others = currencies.filter((code) => !all.includes(code));
    expect(others.filter((code) => decimalsOf(code) !== 2)).toEqual([]);
    expect(decimalAmount("1250050", "RSD")).toBe("12500.50");
  } finally {
    Intl.NumberFormat = NumberFormat;
  }
});

test("an invalid currency code is refused every time", () => {
  for (const _ of [1, 2]) expect(() => decimalsOf("EURO")).toThrow(RangeError);
});

test("the currencies are all of ISO 4217 with its units of account and metals, sorted and unique", () => {
  const metals = "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XUA".split(" ");
  expect([...all, ...metals].filter((code) => !currencies.includes(code))).toEqual([]);
  for (const code of ["XYZ", "eur", ""]) expect(currencies, code).not.toContain(code);
  expect(currencies).toEqual([...new Set(currencies)].sort());
});
