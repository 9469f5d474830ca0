/** The day that lies a length of time after another. A month that lacks the day ends with its last. */
import { type Duration, monthsOf } from "./durations.ts";

export function dayAfter(date: string, length: Duration): string {
  const from = new Date(`${date}T00:00:00Z`);
  const months = monthsOf(length);
  if (months === null) {
    const days = length.unit === "WEEK" ? length.value * 7 : length.value;
    from.setUTCDate(from.getUTCDate() + days);
    return from.toISOString().slice(0, 10);
  }
  const month = from.getUTCMonth() + months;
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0));
  const day = Math.min(from.getUTCDate(), last.getUTCDate());
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), day)).toISOString().slice(0, 10);
}

export function dayBefore(date: string): string {
  const from = new Date(`${date}T00:00:00Z`);
  from.setUTCDate(from.getUTCDate() - 1);
  return from.toISOString().slice(0, 10);
}
