import { expect, test } from "@playwright/test";
import { amountIssue, centsFrom } from "./money.ts";
import { ContractForm } from "./new/contract-form.ts";

test("an amount is parsed with its currency's decimals, with or without digit grouping", () => {
  expect(centsFrom("12,500.5", "USD")).toBe("1250050");
  expect(centsFrom("12 500", "RSD")).toBe("1250000");
  expect(centsFrom("12,500", "JPY")).toBe("12500");
  expect(centsFrom("0.001", "KWD")).toBe("1");
  expect(centsFrom("12.500,00", "EUR")).toBeNull();
});

test("errors about an amount are worded in units of its currency", () => {
  expect(amountIssue("", "USD")).toBeUndefined();
  expect(amountIssue("92,233,720,368,547,758.07", "USD")).toBeUndefined();
  expect(amountIssue("92,233,720,368,547,758.08", "USD")).toBe("must be at most $92,233,720,368,547,758.07");
  expect(amountIssue("9".repeat(30), "JPY")).toBe("must be at most ¥9,223,372,036,854,775,807");
  expect(amountIssue("a lot", "USD")).toBe("must be an amount such as 12,500.00");
  expect(amountIssue("12,500.50", "JPY")).toBe("must be an amount such as 12,500");
  expect(amountIssue("1.0001", "KWD")).toBe("must be an amount such as 12,500.000");
});

test("the new-contract form reports an invalid amount together with its other errors", () => {
  const form = {
    ...{ title: "", ourRole: "VENDOR", ownerId: "usr_x", autoRenews: false, type: "" },
    ...{ counterpartyId: null, effectiveDate: "", termMonths: "1e2", renewalMonths: "" },
    ...{ amount: "9".repeat(20), valueCurrency: "USD", customFields: {} },
  };
  const issues = ContractForm.safeParse(form).error?.issues ?? [];
  expect(new Map(issues.map(({ path, message }) => [path.join("."), message]))).toEqual(
    new Map([
      ["title", "must not be empty"],
      ["type", "must be chosen"],
      ["termMonths", "must be a whole number of months"],
      ["amount", "must be at most $92,233,720,368,547,758.07"],
    ]),
  );
});
