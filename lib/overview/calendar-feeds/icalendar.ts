/** Writes calendars as iCalendar (RFC 5545). */
import ICAL from "ical.js";
import { mapInSlices } from "#lib/core/batches/slices.ts";
import { addDays, type Day } from "#lib/core/dates.ts";

/** An event of a whole day. */
export interface CalendarEvent {
  uid: string;
  day: Day;
  updatedAt: string;
  summary: string;
  description: string;
  url: string;
}

// The library does not count the space before a continued line, which has at most 75 octets.
ICAL.foldLength = 74;

const end = "END:VCALENDAR";

/** Thousands of events take a tenth of a second and more. */
const slices = { weightOf: () => 1, most: 200 };

/** Returns a calendar that apps read again every hour. */
export async function writeCalendar(name: string, events: CalendarEvent[]): Promise<string> {
  const calendar = new ICAL.Component("vcalendar");
  calendar.addPropertyWithValue("version", "2.0");
  calendar.addPropertyWithValue("prodid", "-//Countersign//Obligations//EN");
  calendar.addPropertyWithValue("method", "PUBLISH");
  calendar.addPropertyWithValue("name", name);
  calendar.addPropertyWithValue("x-wr-calname", name);
  calendar.addPropertyWithValue("refresh-interval", ICAL.Duration.fromString("PT1H"));
  calendar.addPropertyWithValue("x-published-ttl", "PT1H");
  const written = await mapInSlices(events, slices, writeEvent);
  return `${[calendar.toString().slice(0, -end.length), ...written].join("")}${end}\r\n`;
}

function writeEvent({ uid, day, updatedAt, summary, description, url }: CalendarEvent): string {
  const event = new ICAL.Component("vevent");
  event.addPropertyWithValue("uid", uid);
  event.addPropertyWithValue("dtstamp", ICAL.Time.fromJSDate(new Date(updatedAt), true));
  event.addPropertyWithValue("dtstart", ICAL.Time.fromDateString(day));
  event.addPropertyWithValue("dtend", ICAL.Time.fromDateString(addDays(day, 1)));
  event.addPropertyWithValue("summary", textOf(summary));
  event.addPropertyWithValue("description", textOf(description));
  event.addPropertyWithValue("url", url);
  return `${event.toString()}\r\n`;
}

/** The library escapes line feeds only. In calendar apps, other control characters can end a line, too. */
const textOf = (text: string) => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, " ");
