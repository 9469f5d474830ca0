import { operation } from "#lib/core/operation.ts";
import { holdingsOf, removeMemberFor } from "./handover.ts";
import { Departure, Holder, Holdings } from "./schema.ts";

export const departures = {
  holdings: operation({
    summary: "Get what a member would leave behind",
    scopes: ["members:write"],
    input: Holder,
    output: Holdings,
    errors: ["not_found", "forbidden", "last_owner"],
    run: holdingsOf,
  }),
  remove: operation({
    summary: "Remove a member",
    description:
      "Takes effect immediately, wherever the person is signed in. Contracts, obligations and approvals go to the successor; what the person did is kept.",
    scopes: ["members:write"],
    input: Departure,
    errors: ["not_found", "forbidden", "last_owner", "conflict"],
    run: removeMemberFor,
  }),
};
