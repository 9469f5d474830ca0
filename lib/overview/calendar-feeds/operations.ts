import { z } from "zod";
import { personalOperation } from "#lib/core/operation.ts";
import { endFeed, makeFeed, readFeed } from "./calendar-feeds.ts";
import { CalendarFeed, CalendarFeedMade } from "./schema.ts";

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
    output: CalendarFeedMade,
    status: 201,
    errors: [],
    run: makeFeed,
  }),
  revoke: personalOperation({
    summary: "Revoke your calendar feed",
    input: z.strictObject({}),
    errors: [],
    run: endFeed,
  }),
};
