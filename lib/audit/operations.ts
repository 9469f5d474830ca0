import { operation } from "#lib/core/operation.ts";
import { listAuditEvents } from "./feed.ts";
import { AuditFeed, AuditQuery } from "./schema.ts";

export const auditEvents = {
  list: operation({
    summary: "List audit events",
    description:
      "Newest first. Follow nextCursor until it is null: nothing is skipped, whatever happens meanwhile.",
    scopes: ["audit:read"],
    input: AuditQuery,
    output: AuditFeed,
    errors: [],
    cacheable: true,
    run: listAuditEvents,
  }),
};
