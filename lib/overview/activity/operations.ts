import { operation } from "#lib/core/operation.ts";
import { listActivity } from "./activity.ts";
import { ActivityFeed, ActivityQuery } from "./schema.ts";

export const activity = {
  activity: operation({
    summary: "List a contract's activity",
    description: "Newest first, for every role. Where someone acted from is in the audit log only.",
    scopes: ["contracts:read"],
    input: ActivityQuery,
    output: ActivityFeed,
    errors: ["not_found"],
    run: listActivity,
  }),
};
