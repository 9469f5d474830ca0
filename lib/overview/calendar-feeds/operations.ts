import { z } from "zod";
import { personalOperation } from "#lib/core/operation.ts";
import { chooseForFeed, createFeed, endFeed, readFeed } from "./calendar-feeds.ts";
import { CalendarFeed, CalendarFeedChoice, CreatedCalendarFeed, NewCalendarFeed } from "./schema.ts";

export const calendarFeed = {
  read: personalOperation({
    summary: "Get the state of your calendar feed",
    input: z.strictObject({}),
    output: CalendarFeed,
    errors: [],
    run: readFeed,
  }),
  create: personalOperation({
    summary: "Create your calendar feed, or replace its address",
    input: NewCalendarFeed,
    output: CreatedCalendarFeed,
    status: 201,
    errors: [],
    run: createFeed,
  }),
  choose: personalOperation({
    summary: "Choose what your calendar feed includes",
    input: CalendarFeedChoice,
    output: CalendarFeed,
    errors: ["not_found"],
    run: chooseForFeed,
  }),
  revoke: personalOperation({
    summary: "Revoke your calendar feed",
    input: z.strictObject({}),
    errors: [],
    run: endFeed,
  }),
};
