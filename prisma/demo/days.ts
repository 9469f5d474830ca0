/** The demo's calendar: converts days counted from the day of seeding into dates. */
import { addDays, addMonths, type Day, midnight } from "#lib/core/dates.ts";
import type { Term } from "./story.ts";

/** The date `days` from today, moved back to Friday from a weekend. A later day never gives an earlier date. */
export function workday(today: Day, days: number): Day {
  const day = addDays(today, days);
  return addDays(day, -Math.max(0, ((midnight(day).getUTCDay() + 6) % 7) - 4));
}

/** A time `minute` minutes after 7:30 UTC. Not on the day of seeding, which may have only just begun. */
export function moment(today: Day, days: number, minute: number): Date {
  if (days > -1) throw new Error(`The demo refers to a day ${days} days from now.`);
  return new Date(midnight(workday(today, days)).getTime() + (7.5 * 60 + minute) * 60_000);
}

/** The first day of a term. */
export function beginning(term: Term, today: Day): Day {
  if ("on" in term) return addDays(today, term.on);
  if ("endsIn" in term) return addMonths(addDays(today, term.endsIn + 1), -term.months);
  const day = addDays(today, term.from);
  return day.endsWith("-01") ? day : addMonths(`${day.slice(0, 8)}01` as Day, 1);
}
