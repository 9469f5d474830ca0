import { z } from "zod";
import { personalOperation } from "#lib/core/operation.ts";
import { endFeed, makeFeed, readFeed } from "./calendar-feeds.ts";
import { CalendarFeed, CalendarFeedMade } from "./schema.ts";

export const calendarFeed = {
  read: personalOperation({
    summary: "Tell whether one has a calendar feed",
    input: z.strictObject({}),
    output: CalendarFeed,
    errors: [],
    run: readFeed,
  }),
  create: personalOperation({
    summary: "Make one's calendar feed, or give it another address",
    input: z.strictObject({}),
    output: CalendarFeedMade,
    status: 201,
    errors: [],
    run: makeFeed,
  }),
  revoke: personalOperation({
    summary: "End one's calendar feed",
    input: z.strictObject({}),
    errors: [],
    run: endFeed,
  }),
};
