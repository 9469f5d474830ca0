/**
 * Deadlines are moments, but people choose days. A day lasts to its end in the time zone of the person choosing it.
 */

/** A moment's local day and time in a zone, as if they were UTC. */
function clockIn(moment: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone },
  } as const).formatToParts(moment);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "00";
  const day = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  return new Date(`${day}T${part("hour")}:${part("minute")}:${part("second")}Z`);
}

/** A moment's day for a date input; empty for none. */
export function dayIn(moment: string | null, timeZone: string): string {
  return moment === null ? "" : clockIn(new Date(moment), timeZone).toISOString().slice(0, 10);
}

/** The last second of a day; null for none. */
export function endOfDay(day: string, timeZone: string): string | null {
  const wanted = new Date(`${day}T23:59:59Z`).getTime();
  if (Number.isNaN(wanted)) return null;
  // A zone's offset changes with the seasons: take the offset at about that moment.
  const ahead = (at: number) => clockIn(new Date(at), timeZone).getTime() - at;
  return new Date(wanted - ahead(wanted - ahead(wanted))).toISOString();
}
