import { z } from "zod";
import { personalOperation } from "#lib/core/operation.ts";
import { createFeed, endFeed, readFeed } from "./calendar-feeds.ts";
import { CalendarFeed, CreatedCalendarFeed } from "./schema.ts";

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
    input: z.strictObject({}),
    output: CreatedCalendarFeed,
    status: 201,
    errors: [],
    run: createFeed,
  }),
  revoke: personalOperation({
    summary: "Revoke your calendar feed",
    input: z.strictObject({}),
    errors: [],
    run: endFeed,
  }),
};
