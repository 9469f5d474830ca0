import { expect, test } from "@playwright/test";
import { z } from "zod";
import { eventTypes } from "#lib/webhooks/schema.ts";
import { payloadOf } from "./catalogue.ts";
import { eventTypeOf } from "./listen.ts";

test("every event type is triggered by an action, by the passage of time, or by a test request", () => {
  const byTime = ["contract.expiring", "obligation.due", "obligation.overdue"];
  const told = new Set([...Object.values(eventTypeOf), ...byTime, "webhook.test"]);
  expect([...told].sort()).toEqual(eventTypes.toSorted());
});

/** The names of all properties that a schema has, at any depth. */
function namesIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== "object") return [];
  const { properties } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
}

test("the schemas of signature request events have no property for fields, links, tokens or secrets", () => {
  const types = eventTypes.filter((type) => type.startsWith("signature_request."));
  expect(types).toHaveLength(9);
  for (const type of types) {
    const names = namesIn(z.toJSONSchema(payloadOf(type), { io: "output", unrepresentable: "any" }));
    expect(names).toContain("signers");
    expect(names.filter((name) => /^fields?$|value|link|ur[il]|token|secret/i.test(name))).toEqual([]);
  }
});
