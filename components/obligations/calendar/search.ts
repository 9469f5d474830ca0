/** What the calendar is asked for, as it stands in the address; the filters are the list's own. */
import { createLoader, createParser, type inferParserType, parseAsIsoDate } from "nuqs/server";
import { obligationParsers } from "#components/obligations/search.ts";
import type { InputOf } from "#lib/api/client.ts";
import { type Month, weeksOf } from "./month.ts";

const parseAsMonth = createParser<Month>({
  parse: (text) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text >= "0002" ? (text as Month) : null),
  serialize: (month) => month,
});

const parseAsDay = createParser<string>({
  parse: (text) => (parseAsIsoDate.parse(text) && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null),
  serialize: (day) => day,
});

const { status, kind, counterpartyId, ownerId } = obligationParsers;

export const calendarParsers = {
  /** Null is the present one. */
  month: parseAsMonth,
  /** The day that is looked into. */
  day: parseAsDay,
  ...{ status, kind, counterpartyId, ownerId },
};

export type CalendarSearch = inferParserType<typeof calendarParsers>;

export const loadCalendarSearch = createLoader(calendarParsers);

export const noCalendarFilters = { status: null, kind: null, counterpartyId: null, ownerId: null } as const;

/** The filters alone, as the list has them too. */
export function calendarFilters({ status, kind, counterpartyId, ownerId }: CalendarSearch) {
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(kind.length > 0 ? { kind } : {}),
    ...(counterpartyId ? { counterpartyId } : {}),
    ...(ownerId ? { ownerId } : {}),
  };
}

export function calendarQuery(search: CalendarSearch, month: Month): InputOf<"obligations.calendar"> {
  const days = weeksOf(month).flat();
  return { from: days[0] as string, to: days.at(-1) as string, ...calendarFilters(search) };
}
