import { operation } from "#lib/core/operation.ts";
import { searchClauses } from "./clause-search.ts";
import { jump } from "./jump.ts";
import { ClauseHits, ClauseSearch, Jump, JumpTargets } from "./schema.ts";

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
  clauses: operation({
    summary: "Find clauses in documents by words or a question",
    description: "The best first, of the newest version of each contract, with the quote and its page.",
    scopes: ["search:read", "contracts:read"],
    input: ClauseSearch,
    output: ClauseHits,
    errors: [],
    run: searchClauses,
  }),
};
