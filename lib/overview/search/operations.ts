import { operation } from "#lib/core/operation.ts";
import { jump } from "./jump.ts";
import { Jump, JumpTargets } from "./schema.ts";

export const search = {
  jump: operation({
    summary: "Find contracts, counterparties, contacts, templates and signature requests by name",
    description: "At most eight of each.",
    scopes: ["contracts:read", "counterparties:read", "templates:read", "signatures:read"],
    input: Jump,
    output: JumpTargets,
    errors: [],
    run: jump,
  }),
};
