/** Days and hours in a member's time zone. */
import { addDays, type Day, midnight } from "#lib/core/dates.ts";

/** The time zone of someone who has not signed in yet. */
export const unknownZone = "UTC";

/** The hour of the digest. */
const digestHour = 8;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches formats: creating one takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const shape = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" } as const;
  const format = new Intl.DateTimeFormat("en-CA", { ...shape, hourCycle: "h23", timeZone });
  formats.set(timeZone, format);
  return format;
}

export interface LocalTime {
  day: Day;
  hour: number;
}

export function localTime(now: Date, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  return { day: `${parts.year}-${parts.month}-${parts.day}` as Day, hour: Number(parts.hour) };
}

/** From eight in the morning to midnight, so that a server that was down at eight sends it later. */
export const isDigestTime = ({ hour }: LocalTime): boolean => hour >= digestHour;

const weekday = (day: Day) => midnight(day).getUTCDay();

export const isWeekend = (day: Day): boolean => weekday(day) === 0 || weekday(day) === 6;

/** How many quiet days follow directly; what is due on them is included now. */
export function quietDaysAfter(day: Day, quietWeekends: boolean): number {
  if (!quietWeekends) return 0;
  let quiet = 0;
  while (isWeekend(addDays(day, quiet + 1))) quiet++;
  return quiet;
}
