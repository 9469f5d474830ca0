import { z } from "zod";
import { timestamp } from "#lib/core/wire.ts";

export const CalendarFeed = z.object({ isOn: z.boolean(), createdAt: timestamp.nullable() });

export const CreatedCalendarFeed = z.object({
  url: z.string().meta({ description: "Whoever has it can read the calendar; returned only once" }),
});
