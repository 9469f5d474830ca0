import type { Metadata } from "next";
import { CalendarPage } from "#components/obligations/calendar/calendar-page.tsx";
import { monthOf } from "#components/obligations/calendar/month.ts";
import { calendarQuery, loadCalendarSearch } from "#components/obligations/calendar/search.ts";
import { pageTime } from "#lib/doors/page.ts";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Obligations calendar" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Calendar({ searchParams }: { searchParams: Query }) {
  const search = await loadCalendarSearch(searchParams);
  const month = search.month ?? monthOf((await pageTime()).toISOString());
  return (
    <Seed asks={[read("obligations.calendar", calendarQuery(search, month))]}>
      <CalendarPage />
    </Seed>
  );
}
