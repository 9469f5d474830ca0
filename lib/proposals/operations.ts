import { operation } from "#lib/core/operation.ts";
import { documentInput, proposalsOfDocument } from "./document.ts";
import { acceptDate, placesOf, proposalsOf, rejectDate } from "./proposals.ts";
import {
  DateAcceptance,
  DateRejection,
  DocumentProposals,
  DocumentQuestion,
  Places,
  Proposals,
  ProposalsQuery,
} from "./schema.ts";

export const proposals = {
  list: operation({
    summary: "List what a contract's document proposes",
    description: "Dates and obligations with their quotes, as long as no one has accepted or rejected them.",
    scopes: ["contracts:read", "obligations:read"],
    input: ProposalsQuery,
    output: Proposals,
    errors: ["not_found"],
    run: proposalsOf,
  }),
  places: operation({
    summary: "Tell in which versions a contract's obligations were found",
    scopes: ["contracts:read", "obligations:read"],
    input: ProposalsQuery,
    output: Places,
    errors: ["not_found"],
    run: async (ctx, { id }) => ({ data: await placesOf(ctx, id) }),
  }),
  acceptDate: operation({
    summary: "Accept a proposed date",
    description: "The contract gets it; its obligations are resolved again.",
    scopes: ["contracts:write", "obligations:read"],
    input: DateAcceptance,
    output: Proposals,
    errors: ["not_found", "conflict"],
    run: acceptDate,
  }),
  rejectDate: operation({
    summary: "Reject a proposed date",
    description: "The same date is not proposed to this contract again.",
    scopes: ["contracts:write", "obligations:read"],
    input: DateRejection,
    output: Proposals,
    errors: ["not_found"],
    run: rejectDate,
  }),
  ofDocument: operation({
    summary: "Read what a document says of itself",
    description: "Title, type, parties and dates with their quotes, for the form of a new contract.",
    scopes: ["contracts:write"],
    input: DocumentQuestion,
    file: documentInput,
    output: DocumentProposals,
    errors: [],
    ignoresIdempotencyKey: true,
    run: (ctx, _, file) => proposalsOfDocument(ctx, file),
  }),
};
