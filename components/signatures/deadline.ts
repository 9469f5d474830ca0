/** Deadlines are moments; people choose days. A day lasts to its end where the person is. */

/** The day of a moment as a date input has it; empty for none. */
export function dayIn(moment: string | null): string {
  if (moment === null) return "";
  const date = new Date(moment);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The last second of a day; null for none. */
export function endOfDay(day: string): string | null {
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
