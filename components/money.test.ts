import { expect, test } from "@playwright/test";
import { moneyText } from "./money.tsx";

test("amounts use ISO 4217 decimals, with a symbol for major currencies and the ISO code for others", () => {
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
