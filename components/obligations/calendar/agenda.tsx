"use client";
import { clsx } from "clsx";
import { CalendarCheck, ChevronRight } from "lucide-react";
import { useFading } from "#components/fading.ts";
import { EmptyState, SkeletonRows } from "#components/ui/states.tsx";
import { useReader } from "#components/ui/time.tsx";
import type { Day } from "#lib/core/dates.ts";
import { AssigneeName } from "../assignee.tsx";
import { ParentNames } from "../parent-names.tsx";
import { ObligationBadge } from "../status.tsx";
import { dayText, monthOf, monthText } from "./month.ts";
import type { MonthProps } from "./month-grid.tsx";

export function Agenda({ month, today, days, isPrevious, onOpen }: MonthProps) {
  const { locale } = useReader();
  const fading = useFading(isPrevious);
  const shown = [...days.values()].filter(({ day }) => monthOf(day) === month);
  if (isPrevious && shown.length === 0) {
    return (
      <div className="md:hidden">
        <SkeletonRows label="Loading the month" />
      </div>
    );
  }
  return (
    <div className={clsx("border-line border-t md:hidden", fading)}>
      {shown.length === 0 && (
        <EmptyState icon={CalendarCheck} title={`Nothing falls due in ${monthText(month, locale)}`}>
          Obligations are added on a contract's page; their dates follow the contract's.
        </EmptyState>
      )}
      {shown.map(({ day, count, obligations }) => (
        <section key={day} aria-label={dayText(day, locale)} className="border-line border-b">
          <h3
            className={clsx(
              "bg-well px-4 py-1.5 font-medium text-xs",
              day === today ? "text-accent" : "text-quiet",
            )}
          >
            {dayText(day, locale)}
            {day === today && ", today"}
          </h3>
          <button
            type="button"
            onClick={() => onOpen(day as Day)}
            className="flex w-full items-center gap-3 px-4 py-2.5 text-left hover:bg-well"
          >
            <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2">
              {obligations.map(({ id, title, status, contract, counterparty, ...people }) => (
                <span key={id} className="flex items-center gap-3">
                  <span className="min-w-0 flex-1">
                    <span className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{title}</span>
                    <span className="line-clamp-2 text-quiet text-xs [overflow-wrap:anywhere]">
                      <ParentNames obligation={{ contract, counterparty }} />
                    </span>
                    <AssigneeName obligation={people} />
                  </span>
                  <ObligationBadge status={status} />
                </span>
              ))}
              {count > obligations.length && (
                <span className="text-quiet text-xs">and {count - obligations.length} more</span>
              )}
            </span>
            <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
          </button>
        </section>
      ))}
    </div>
  );
}
