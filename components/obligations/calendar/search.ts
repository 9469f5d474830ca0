/** The calendar's query in the URL. It has the same filters as the list. */
import { createLoader, createParser, type inferParserType, parseAsIsoDate } from "nuqs/server";
import type { Day } from "#lib/core/dates.ts";
import type { InputOf } from "#lib/doors/client.ts";
import { obligationParsers, obligationQuery, obligationSearchQuery } from "../search.ts";
import { type Month, weeksOf } from "./month.ts";

const parseAsMonth = createParser<Month>({
  parse: (text) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text >= "0002" ? (text as Month) : null),
  serialize: (month) => month,
});

const parseAsDay = createParser<string>({
  parse: (text) => (parseAsIsoDate.parse(text) && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null),
  serialize: (day) => day,
});

const { view, status, kind, counterpartyId, ownerId, assigneeId } = obligationParsers;

export const calendarParsers = {
  /** Null for the current month. */
  month: parseAsMonth,
  /** The day whose details are open. */
  day: parseAsDay,
  ...{ view, status, kind, counterpartyId, ownerId, assigneeId },
};

export type CalendarSearch = inferParserType<typeof calendarParsers>;

export const loadCalendarSearch = createLoader(calendarParsers);

export const noCalendarFilters = {
  ...{ status: null, kind: null, counterpartyId: null, ownerId: null, assigneeId: null },
} as const;

/** Returns the filters that the list has too, as the API's parameters. */
export function calendarFilters({ month: _, day: __, ...filters }: CalendarSearch) {
  const { page: ___, ...given } = obligationQuery({ ...filters, q: "", dueFrom: null, dueTo: null, page: 1 });
  return given;
}

/** Returns the URL of the list of what falls due on a day, with the same filters. */
export function dayListAddress({ month: _, day: __, ...filters }: CalendarSearch, day: Day): string {
  return `/obligations${obligationSearchQuery({ ...filters, dueFrom: day, dueTo: day })}`;
}

export const hasCalendarFilters = ({ status, kind, ...rest }: CalendarSearch): boolean =>
  status.length > 0 ||
  kind.length > 0 ||
  [rest.counterpartyId, rest.ownerId, rest.assigneeId].some((id) => id !== null);

export function calendarQuery(search: CalendarSearch, month: Month): InputOf<"obligations.calendar"> {
  const days = weeksOf(month).flat();
  return { from: days[0] as string, to: days.at(-1) as string, ...calendarFilters(search) };
}
