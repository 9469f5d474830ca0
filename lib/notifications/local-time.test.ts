import { expect, test } from "@playwright/test";
import { addDays, type Day } from "#lib/core/dates.ts";
import { isDigestTime, isWeekend, localTime, quietDaysAfter } from "./local-time.ts";

const hourMs = 60 * 60 * 1000;
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Pacific/Apia",
];

test("every day of a year has 16 hours of digest time, in zones with and without clock changes", () => {
  for (const zone of zones) {
    const days = new Map<Day, number>();
    for (let hour = 0; hour < 367 * 24; hour++) {
      const there = localTime(new Date(Date.UTC(2026, 11, 31) + hour * hourMs), zone);
      if (isDigestTime(there)) days.set(there.day, (days.get(there.day) ?? 0) + 1);
    }
    for (let day = "2027-01-01" as Day; day < "2028-01-01"; day = addDays(day, 1)) {
      expect(days.get(day), `${zone} ${day}`).toBe(16);
    }
  }
});

test("the local hour is the wall clock's, before and after clocks change", () => {
  const at = (moment: string, zone: string) => localTime(new Date(moment), zone);
  expect(at("2027-03-27T07:00:00Z", "Europe/Berlin")).toEqual({ day: "2027-03-27", hour: 8 });
  expect(at("2027-03-28T06:00:00Z", "Europe/Berlin")).toEqual({ day: "2027-03-28", hour: 8 });
  expect(at("2027-03-13T23:00:00Z", "Asia/Tokyo")).toEqual({ day: "2027-03-14", hour: 8 });
});

test("with quiet weekends, two quiet days follow Friday, one follows Saturday, and none any other day", () => {
  const friday = "2027-03-05" as Day;
  const after = (quiet: boolean) =>
    [0, 1, 2, 3, 4, 5, 6].map((days) => quietDaysAfter(addDays(friday, days), quiet));
  expect(after(true)).toEqual([2, 1, 0, 0, 0, 0, 0]);
  expect(after(false)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect([0, 1, 2, 3].map((days) => isWeekend(addDays(friday, days)))).toEqual([false, true, true, false]);
});
