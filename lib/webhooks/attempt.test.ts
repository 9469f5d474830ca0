import { expect, test } from "@playwright/test";
import { parseSettings } from "#lib/core/env.ts";
import { retryAfter } from "./attempt.ts";

const now = new Date("2026-01-01T12:00:00.500Z");

test("Retry-After may be seconds or a date, and is capped at one day", () => {
  expect(retryAfter("120", now)).toBe(120);
  expect(retryAfter("Thu, 01 Jan 2026 12:01:00 GMT", now)).toBeCloseTo(59.5);
  expect(retryAfter("31536000", now)).toBe(86_400);
  expect(retryAfter("Fri, 01 Jan 2027 12:00:00 GMT", now)).toBe(86_400);
});

test("a Retry-After that is missing, in the past or malformed is ignored", () => {
  for (const header of [undefined, "", "soon", "-5", "1e9", "Wed, 01 Jan 2020 00:00:00 GMT"]) {
    expect(retryAfter(header, now), header).toBe(0);
  }
});

test("a delivery has 8 attempts over 28 hours unless a valid WEBHOOK_RETRY_SCHEDULE is set", () => {
  expect(parseSettings({}).WEBHOOK_RETRY_SCHEDULE).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
  expect(parseSettings({ WEBHOOK_RETRY_SCHEDULE: "1, 2,0.5" }).WEBHOOK_RETRY_SCHEDULE).toEqual([1, 2, 0.5]);
  for (const wrong of ["soon", "1,,2", "-1", "1;2"]) {
    expect(() => parseSettings({ WEBHOOK_RETRY_SCHEDULE: wrong })).toThrow("WEBHOOK_RETRY_SCHEDULE");
  }
});
