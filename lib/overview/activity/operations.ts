import { operation } from "#lib/core/operation.ts";
import { listActivity } from "./activity.ts";
import { ActivityFeed, ActivityQuery } from "./schema.ts";

export const activity = {
  activity: operation({
    summary: "Read what happened to a contract",
    description: "Newest first, for every role. From where somebody acted stands in the audit log alone.",
    scopes: ["contracts:read"],
    input: ActivityQuery,
    output: ActivityFeed,
    errors: ["not_found"],
    run: listActivity,
  }),
};
