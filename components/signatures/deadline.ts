/** Deadlines are moments, but people choose days: each lasts until midnight in the chooser's time zone. */

/** Returns a moment's local date and time in a time zone, as if they were UTC. */
function clockIn(moment: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone },
  } as const).formatToParts(moment);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "00";
  const day = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  return new Date(`${day}T${part("hour")}:${part("minute")}:${part("second")}Z`);
}

/** Returns a moment's day for a date input, or an empty string for null. */
export function dayIn(moment: string | null, timeZone: string): string {
  return moment === null ? "" : clockIn(new Date(moment), timeZone).toISOString().slice(0, 10);
}

/** Returns the last second of a day, or null if the day is empty or invalid. */
export function endOfDay(day: string, timeZone: string): string | null {
  const wanted = new Date(`${day}T23:59:59Z`).getTime();
  if (Number.isNaN(wanted)) return null;
  // A time zone's offset may change during the year: use the one at about that moment.
  const offsetAt = (at: number) => clockIn(new Date(at), timeZone).getTime() - at;
  return new Date(wanted - offsetAt(wanted - offsetAt(wanted))).toISOString();
}
