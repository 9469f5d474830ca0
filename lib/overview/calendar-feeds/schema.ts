import { z } from "zod";
import { choice, timestamp } from "#lib/core/wire.ts";

/** Obligations assigned to the person, or all that they can see. */
export const feedCovers = ["mine", "everything"] as const;
export type FeedCovers = (typeof feedCovers)[number];

export const CalendarFeed = z.object({
  isOn: z.boolean(),
  createdAt: timestamp.nullable(),
  covers: z.enum(feedCovers),
});

export const NewCalendarFeed = z.strictObject({ covers: choice(feedCovers).default("everything") });
export const CalendarFeedChoice = z.strictObject({ covers: choice(feedCovers) });

export const CreatedCalendarFeed = z.object({
  url: z.string().meta({ description: "Whoever has it can read the calendar; returned only once" }),
});
