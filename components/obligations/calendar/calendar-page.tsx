"use client";
/** The page of what falls due in a month: a calendar grid, or on a phone an agenda. */
import { CalendarPlus, ChevronLeft, ChevronRight } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useOperation, usePrefetch } from "#components/query.tsx";
import { useToday } from "#components/today.ts";
import { Button, IconButton } from "#components/ui/button.tsx";
import { FilterBar } from "#components/ui/filter.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { useReader } from "#components/ui/time.tsx";
import type { Day } from "#lib/core/dates.ts";
import { ObligationFilters, type SharedFilterProps, ViewFilter, WhoseFilter } from "../filters.tsx";
import { ObligationViews } from "../views.tsx";
import { Agenda } from "./agenda.tsx";
import { type Month, monthOf, monthText, moveMonth } from "./month.ts";
import { MonthGrid } from "./month-grid.tsx";
import { calendarParsers, calendarQuery, hasCalendarFilters, noCalendarFilters } from "./search.ts";

const DaySheet = lazily(() => import("./day-sheet.tsx").then((module) => module.DaySheet));
const FeedDialog = lazily(() => import("./feed-dialog.tsx").then((module) => module.FeedDialog));

export function CalendarPage() {
  const { locale } = useReader();
  const today = useToday();
  const [search, setSearch] = useQueryStates(calendarParsers, { clearOnDefault: true });
  const month = search.month ?? monthOf(today);
  const reading = useOperation("obligations.calendar", calendarQuery(search, month), { keepPrevious: true });
  const { data, error, isPrevious, refetch } = reading;
  const [chosen, setChosen] = useState<Day>(today);
  const prefetch = usePrefetch();
  const change: SharedFilterProps["onSearch"] = (what) => void setSearch(what);
  const toMonth = (next: Month) => void setSearch({ month: next === monthOf(today) ? null : next });
  const prefetchMonth = (next: Month) => prefetch("obligations.calendar", calendarQuery(search, next));
  const choose = (day: Day) => {
    setChosen(day);
    if (monthOf(day) !== month) toMonth(monthOf(day));
  };
  const open = (day: Day) => void setSearch({ day }, { history: "push" });
  const focused = monthOf(chosen) === month ? chosen : (`${month}-01` as Day);
  const days = new Map(data?.days.map((each) => [each.day, each]));
  const shown = { month, today, days, isPrevious: isPrevious || !data, onOpen: open };
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader
          title="Obligations"
          description="What falls due, month by month. Days are calendar days, in UTC."
          actions={
            <>
              <FeedButton />
              <ObligationViews current="calendar" />
            </>
          }
        />
        <FilterBar
          lead={
            <>
              <WhoseFilter search={search} onSearch={change} />
              <ViewFilter search={search} onSearch={change} />
            </>
          }
        >
          <ObligationFilters search={search} onSearch={change} />
          {hasCalendarFilters(search) && (
            <Button variant="quiet" size="sm" data-set onClick={() => change(noCalendarFilters)}>
              Clear all
            </Button>
          )}
        </FilterBar>
      </div>
      <div className="flex items-center gap-1 border-line border-t px-4 py-2.5 md:px-6">
        <h2 aria-live="polite" className="min-w-40 font-semibold text-base">
          {monthText(month, locale)}
        </h2>
        <IconButton
          label="Previous month"
          onClick={() => toMonth(moveMonth(month, -1))}
          onPointerEnter={() => prefetchMonth(moveMonth(month, -1))}
        >
          <ChevronLeft aria-hidden />
        </IconButton>
        <IconButton
          label="Next month"
          onClick={() => toMonth(moveMonth(month, 1))}
          onPointerEnter={() => prefetchMonth(moveMonth(month, 1))}
        >
          <ChevronRight aria-hidden />
        </IconButton>
        <Button
          size="sm"
          className="ml-auto"
          disabled={month === monthOf(today)}
          onClick={() => choose(today)}
        >
          Today
        </Button>
      </div>
      {error && !data ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      ) : (
        <>
          <MonthGrid {...shown} focused={focused} onFocus={choose} />
          <Agenda {...shown} />
        </>
      )}
      {search.day && (
        <DaySheet day={search.day as Day} search={search} onClose={() => void setSearch({ day: null })} />
      )}
    </>
  );
}

function FeedButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CalendarPlus aria-hidden />
        Subscribe
      </Button>
      {open && <FeedDialog onClose={() => setOpen(false)} />}
    </>
  );
}
