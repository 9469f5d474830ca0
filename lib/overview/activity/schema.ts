import { z } from "zod";
import { auditActions } from "#lib/audit/lifecycle.ts";
import { choice, idOut, pathId, timestamp, wholeNumber } from "#lib/core/wire.ts";
import { activityTopics } from "./catalogue.ts";

const value = z
  .string()
  .nullable()
  .meta({ description: "In words; days and moments in ISO 8601; null: nothing" });

export const Activity = z
  .object({
    id: idOut("auditEvent"),
    action: z.enum(auditActions),
    createdAt: timestamp,
    by: z.object({
      kind: z.enum(["USER", "API_KEY", "SIGNER", "SYSTEM"]),
      name: z.string().nullable().meta({ description: "Null for the system" }),
      assistant: z.string().nullable().meta({
        description: "The name of the assistant by which the member acted; null where there was none",
      }),
    }),
    changes: z.array(z.object({ field: z.string().meta({ example: "Status" }), from: value, to: value })),
    reason: z.string().nullable(),
  })
  .meta({
    id: "Activity",
    description: "One thing that happened to a contract, for everyone who may read it.",
  });

export const ActivityQuery = z.object({
  id: pathId("contract"),
  about: z.array(choice(activityTopics)).optional().meta({
    description: "Only what is about one of these: the contract itself, or what belongs to it",
  }),
  limit: wholeNumber("must be a whole number of at least 1", 100)
    .default(20)
    .meta({ description: "Rows per page; values above 100 are clamped to 100" }),
  cursor: z.string().max(500).optional().meta({ description: "nextCursor of the previous page" }),
});
export type ActivityQuery = z.output<typeof ActivityQuery>;

export const ActivityFeed = z.object({
  data: z.array(Activity),
  nextCursor: z.string().nullable().meta({ description: "Null on the last page" }),
});
