import { expect, test } from "@playwright/test";
import { addDays } from "#lib/core/dates.ts";
import { writeCalendar } from "./icalendar.ts";

const event = {
  uid: "obl_1@example.com",
  day: "2031-12-31",
  updatedAt: "2031-01-02T03:04:05.678Z",
  summary: "Pay; the rent, in full",
  description: "Lease\nFixed date",
  url: "https://example.com/contracts/ctr_1",
} as const;

test("an event is written as a whole day, with its text escaped and lines of at most 75 octets", async () => {
  const summary = `${"שכירות ".repeat(12)}${"😀".repeat(30)}`;
  const calendar = await writeCalendar("Obligations", [
    event,
    { ...event, uid: "obl_2@example.com", summary },
  ]);
  expect(calendar).toContain("DTSTART;VALUE=DATE:20311231\r\nDTEND;VALUE=DATE:20320101\r\n");
  expect(calendar).toContain("DTSTAMP:20310102T030405Z\r\n");
  expect(calendar).toContain("SUMMARY:Pay\\; the rent\\, in full\r\n");
  expect(calendar).toContain("DESCRIPTION:Lease\\nFixed date\r\n");
  expect(calendar.replaceAll("\r\n ", "")).toContain(`SUMMARY:${summary}\r\n`);
  const lines = calendar.split("\r\n");
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(["BEGIN:VCALENDAR", "END:VCALENDAR", ""]);
});

test("text cannot add lines to a calendar", async () => {
  const summary = "Rent\rATTENDEE:a\r\nATTENDEE:b\nATTENDEE:c\u0085ATTENDEE:d\u0000";
  const calendar = await writeCalendar("Obligations", [{ ...event, summary }]);
  expect(calendar).toContain("SUMMARY:Rent\\nATTENDEE:a\\nATTENDEE:b\\nATTENDEE:c ATTENDEE:d \r\n");
  expect(calendar.match(/[\r\n]ATTENDEE/g)).toBeNull();
});

test("writing a calendar of thousands of events yields to other work", async () => {
  const events = Array.from({ length: 5000 }, (_, day) => ({ ...event, day: addDays(event.day, day) }));
  let turns = 0;
  const turn = setInterval(() => turns++, 0);
  await writeCalendar("Obligations", events);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(5);
});
