import { expect, test } from "@playwright/test";
import { decimalsOf } from "#lib/core/money.ts";
import { currencies } from "#lib/core/wire.ts";
import { moneyText } from "./money.tsx";

test("amounts use ISO 4217 decimals, with a symbol for major currencies and the ISO code for others", () => {
  const symbols = "AUD A$ BRL R$ CAD CA$ CNY CN¥ EUR € GBP £ INR ₹ JPY ¥ KRW ₩ MXN MX$ NZD NZ$ USD $".split(
    " ",
  );
  for (const code of currencies) {
    const symbol = symbols[symbols.indexOf(code) + 1]!;
    const prefix = symbols.includes(code) ? symbol : `${code}\u00a0`;
    const decimals = decimalsOf(code);
    const rest = decimals > 0 ? `.${"1".padStart(decimals, "0")}` : "";
    expect(moneyText(`1234${rest.slice(1)}`, code)).toBe(`${prefix}1,234${rest}`);
  }
  const text = (cents: string, currency: string) => moneyText(cents, currency).replace("\u00a0", " ");
  expect(text("1250050", "EUR")).toBe("€12,500.50");
  expect(text("1250000", "USD")).toBe("$12,500");
  expect(text("5", "GBP")).toBe("£0.05");
  expect(text("12500", "JPY")).toBe("¥12,500");
  expect(text("1250050", "HUF")).toBe("HUF 12,500.50");
  expect(text("1250050", "RSD")).toBe("RSD 12,500.50");
  expect(text("1250000", "XCG")).toBe("XCG 12,500");
  expect(text("12500500", "KWD")).toBe("KWD 12,500.500");
  expect(text("9223372036854775807", "USD")).toBe("$92,233,720,368,547,758.07");
});
