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
  // Clocks change by two hours, at midnight, and during Ramadan.
  "Antarctica/Troll",
  "Africa/Cairo",
  "Africa/Casablanca",
];

test("digest time is from 8 to midnight every day, in zones with and without clock changes", () => {
  const year = Array.from({ length: 365 }, (_, index) => addDays("2027-01-01" as Day, index));
  for (const zone of zones) {
    const hours = new Map(year.map((day) => [day, new Set<number>()]));
    for (let hour = 0; hour < 367 * 24; hour++) {
      const there = localTime(new Date(Date.UTC(2026, 11, 31) + hour * hourMs), zone);
      if (isDigestTime(there)) hours.get(there.day)?.add(there.hour);
    }
    const others = [...hours].filter(
      ([, found]) => [...found].join() !== "8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
    );
    expect(others, zone).toEqual([]);
  }
});

test("the local hour is the wall clock's, before and after clocks change", () => {
  const at = (moment: string, zone: string) => localTime(new Date(moment), zone);
  expect(at("2027-03-27T07:00:00Z", "Europe/Berlin")).toEqual({ day: "2027-03-27", hour: 8 });
  expect(at("2027-03-28T06:00:00Z", "Europe/Berlin")).toEqual({ day: "2027-03-28", hour: 8 });
  expect(at("2027-03-13T23:00:00Z", "Asia/Tokyo")).toEqual({ day: "2027-03-14", hour: 8 });
});

test("with quiet weekends, two quiet days follow Friday, one follows Saturday, and none any other day", () => {
  // Two years from a Friday on, with a leap day and every turn of a month.
  const days = Array.from({ length: 730 }, (_, index) => addDays("2027-03-05" as Day, index));
  const weekly = <T>(values: T[]) => days.map((_, index) => values[index % 7]);
  expect(days.map((day) => quietDaysAfter(day, true))).toEqual(weekly([2, 1, 0, 0, 0, 0, 0]));
  expect(days.map((day) => quietDaysAfter(day, false))).toEqual(weekly([0, 0, 0, 0, 0, 0, 0]));
  expect(days.map(isWeekend)).toEqual(weekly([false, true, true, false, false, false, false]));
});
