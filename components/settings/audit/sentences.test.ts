import { expect, test } from "@playwright/test";
import { type AuditEvent, amountText, sentenceOf, sentenceText, valueText } from "./sentences.ts";

function event(action: AuditEvent["action"], field: string, to: string): AuditEvent {
  const payload = {
    changes: { [field]: { from: null, to } },
    target: { type: "contract", id: "" },
    actor: null,
  };
  const contract = { id: "ctr_1", title: "Lease at 5%" };
  return { action, actor: { name: "Olive" }, contract, payload } as unknown as AuditEvent;
}

test("a percent sign in a title, name or URL is kept in audit log sentences", () => {
  const duty = event("OBLIGATION_CREATED", "title", "Pay the 5% fee");
  expect(sentenceOf(duty)).toEqual(["added the obligation “Pay the 5% fee” to ", ""]);
  expect(sentenceText(duty)).toBe("Olive added the obligation “Pay the 5% fee” to Lease at 5%");
  expect(sentenceText(event("COUNTERPARTY_CREATED", "name", "100% Pure"))).toBe(
    "Olive created the counterparty “100% Pure”",
  );
  const url = "https://example.com/a%20b";
  expect(sentenceOf(event("WEBHOOK_ENDPOINT_CREATED", "url", url))).toEqual([
    `added the webhook endpoint ${url}`,
    null,
  ]);
});

test("audit log values are formatted for people: money with its currency, names as entered", () => {
  expect(amountText("1250050", "USD")).toBe("$12,500.50");
  expect(amountText("12500", "JPY")).toBe("¥12,500");
  expect(amountText("12500500", "KWD")).toMatch(/^KWD\s12,500\.500$/);
  expect(amountText("1250050", null)).toBe("1250050 in minor units");
  expect(valueText("name", "SIEMENS")).toBe("SIEMENS");
  expect(valueText("relationshipTypes", ["VENDOR", "LANDLORD"])).toBe("Vendor, Landlord");
  expect(valueText("OBLIGATION_DUE", "EMAIL")).toBe("Email");
  expect(valueText("status", "OUT_FOR_SIGNATURE")).toBe("Out for signature");
});
