"use client";
/** The calendar grid. One day has the focus; arrow keys move it, and Enter or Space opens the day. */
import { clsx } from "clsx";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useFading } from "#components/fading.ts";
import { useReader } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { Day } from "#lib/core/dates.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import type { ObligationStatus } from "#lib/obligations/lifecycle.ts";
import { parentNames } from "../parent-names.tsx";
import { obligationWord } from "../status.tsx";
import { dayForKey, dayText, type Month, monthOf, monthText, weeksOf } from "./month.ts";

export type CalendarDay = OutputOf<"obligations.calendar">["days"][number];

export interface MonthProps {
  month: Month;
  today: Day;
  days: Map<string, CalendarDay>;
  /** Whether the data shown is that of the previous month, or has not loaded yet. */
  isPrevious: boolean;
  onOpen(day: Day): void;
}

export interface MonthGridProps extends MonthProps {
  focused: Day;
  onFocus(day: Day): void;
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export function MonthGrid({ month, focused, onFocus, isPrevious, ...rest }: MonthGridProps) {
  const { locale } = useReader();
  const fading = useFading(isPrevious);
  const cell = useRef<HTMLTableCellElement>(null);
  const isMoving = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day that the keys move to.
  useEffect(() => {
    if (isMoving.current) cell.current?.focus();
    isMoving.current = false;
  }, [focused]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = dayForKey(event.key, focused);
    if (to) {
      isMoving.current = true;
      onFocus(to);
    } else if (event.key === "Enter" || event.key === " ") rest.onOpen(focused);
    else return;
    event.preventDefault();
  };
  return (
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table with arrow key navigation.
      role="grid"
      aria-label={monthText(month, locale)}
      aria-busy={isPrevious}
      onKeyDown={onKeyDown}
      className="w-full table-fixed border-separate border-spacing-0 max-md:hidden"
    >
      <thead>
        <tr>
          {weekdays.map((weekday) => (
            <th
              key={weekday}
              scope="col"
              abbr={weekday}
              className="h-8 border-line border-y px-2 text-left font-medium text-quiet text-xs"
            >
              {weekday.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={fading}>
        {weeksOf(month).map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                ref={day === focused ? cell : undefined}
                day={day}
                isFocused={day === focused}
                isOutside={monthOf(day) !== month}
                {...rest}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayCellProps extends Pick<MonthGridProps, "today" | "days" | "onOpen"> {
  ref?: React.Ref<HTMLTableCellElement>;
  day: Day;
  isFocused: boolean;
  isOutside: boolean;
}

function DayCell({ ref, day, today, days, isFocused, isOutside, onOpen }: DayCellProps) {
  const { locale } = useReader();
  const found = days.get(day);
  const isToday = day === today;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys.
    <td
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: see the grid.
      role="gridcell"
      tabIndex={isFocused ? 0 : -1}
      aria-current={isToday ? "date" : undefined}
      onClick={() => onOpen(day)}
      className={clsx(
        "h-[6.75rem] cursor-pointer border-line border-r border-b p-1.5 align-top outline-offset-[-2px] last:border-r-0 hover:bg-well",
        "focus-visible:!outline-2 focus-visible:!outline-accent focus-visible:!outline-solid",
        isOutside && "bg-well text-quiet",
      )}
    >
      <span className="sr-only">{labelOf(day, found, locale)}</span>
      <span
        aria-hidden
        className={clsx(
          "grid size-6 place-items-center rounded-full text-xs tabular-nums",
          isToday ? "bg-accent font-semibold text-on-accent" : "text-quiet",
        )}
      >
        {Number(day.slice(8))}
      </span>
      {found && (
        <ul aria-hidden className="mt-0.5 grid gap-0.5">
          {found.obligations.slice(0, found.count > 3 ? 2 : 3).map((obligation) => (
            <li
              key={obligation.id}
              title={`${obligation.title}: ${detailOf(obligation)}`}
              className={clsx("rounded-sm px-1.5 py-px text-2xs", chipTones[obligation.status])}
            >
              <span className="block truncate">{obligation.title}</span>
              {/* Three entries of two lines each would not fit into a day. */}
              {found.count < 3 && <span className="block truncate no-underline">{detailOf(obligation)}</span>}
            </li>
          ))}
          {found.count > 3 && (
            <li className="px-1.5 font-medium text-2xs text-quiet">{found.count - 2} more</li>
          )}
        </ul>
      )}
    </td>
  );
}

const calm = "bg-tone-neutral text-on-neutral";

const chipTones: Record<ObligationStatus, string> = {
  SUGGESTED: "bg-tone-review text-on-review",
  PENDING_ANCHOR: calm,
  UPCOMING: "bg-tone-info text-on-info",
  DUE: "bg-tone-warn text-on-warn",
  OVERDUE: "bg-tone-bad text-on-bad",
  COMPLETED: "bg-tone-good text-on-good line-through",
  WAIVED: `${calm} line-through`,
  CANCELLED: `${calm} line-through`,
};

type Shown = CalendarDay["obligations"][number];

/** Returns the contract, the counterparty and the assignee as text. */
const detailOf = ({ contract, counterparty, assignee }: Shown): string =>
  [parentNames({ contract, counterparty }), assignee?.name].filter(Boolean).join(" · ");

function labelOf(day: Day, found: CalendarDay | undefined, locale: string): string {
  if (!found) return `${dayText(day, locale)}, nothing due`;
  const titles = found.obligations.map(
    (each) => `${each.title} (${obligationWord(each.status)}; ${detailOf(each)})`,
  );
  const rest = found.count > titles.length ? `, and ${found.count - titles.length} more` : "";
  return `${dayText(day, locale)}, ${counted(found.count, "obligation")}: ${titles.join(", ")}${rest}`;
}
