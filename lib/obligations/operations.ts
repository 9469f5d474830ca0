import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { pathId } from "#lib/core/wire.ts";
import { patchObligations } from "./bulk.ts";
import { agendaOf, calendarOf, listObligations, obligationsOf } from "./list.ts";
import { createObligation, findObligation, patchObligation } from "./obligations.ts";
import { previewObligation } from "./preview.ts";
import { obligationFrom } from "./rows.ts";
import {
  CalendarQuery,
  NewObligation,
  ObligationAgenda,
  ObligationAnswer,
  ObligationCalendar,
  ObligationDraft,
  ObligationList,
  ObligationPage,
  ObligationPatch,
  ObligationPreview,
  ObligationQuery,
  ObligationsOfContract,
  ObligationsPatch,
  ObligationsPatched,
} from "./schema.ts";

export const obligations = {
  list: operation({
    summary: "List obligations",
    description: "25 per page, soonest due first; those without a date come last.",
    scopes: ["obligations:read"],
    input: ObligationQuery,
    output: ObligationPage,
    errors: [],
    cacheable: true,
    mayUseReplica: true,
    run: listObligations,
  }),
  agenda: operation({
    summary: "List obligations with their contracts",
    description: "Like the list, each with its contract and counterparty.",
    scopes: ["obligations:read", "contracts:read", "counterparties:read"],
    input: ObligationQuery,
    output: ObligationAgenda,
    errors: [],
    cacheable: true,
    mayUseReplica: true,
    run: agendaOf,
  }),
  preview: operation({
    summary: "Preview an obligation's due date",
    description: "Nothing is saved.",
    scopes: ["obligations:read", "contracts:read"],
    input: ObligationDraft,
    output: ObligationPreview,
    errors: ["not_found"],
    run: previewObligation,
  }),
  listOfContract: operation({
    summary: "List a contract's obligations",
    scopes: ["obligations:read"],
    input: ObligationsOfContract,
    output: ObligationList,
    errors: ["not_found"],
    cacheable: true,
    run: obligationsOf,
  }),
  calendar: operation({
    summary: "Get the obligations due on each day of a month",
    description: "For each day the count and the first three.",
    scopes: ["obligations:read", "contracts:read", "counterparties:read"],
    input: CalendarQuery,
    output: ObligationCalendar,
    errors: [],
    cacheable: true,
    mayUseReplica: true,
    run: calendarOf,
  }),
  read: operation({
    summary: "Retrieve an obligation",
    scopes: ["obligations:read"],
    input: z.object({ id: pathId("obligation") }),
    output: ObligationAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ obligation: obligationFrom(await findObligation(ctx, id), ctx.now) }),
  }),
  create: operation({
    summary: "Create an obligation",
    description:
      "Its date is resolved from the contract immediately. The response has no body; the location header names the obligation.",
    scopes: ["obligations:write"],
    input: NewObligation,
    status: 201,
    errors: ["conflict"],
    location: (made: { id: string }) => `/obligations/${made.id}`,
    run: createObligation,
  }),
  patch: operation({
    summary: "Update an obligation",
    description:
      "Also completes, waives or reopens it: status may be COMPLETED, WAIVED, UPCOMING (to accept a suggestion or to reopen), or CANCELLED (to reject a suggestion). Completing a recurring obligation moves it to its next date; with the occurrence that is meant, two who complete the same one complete it once.",
    scopes: ["obligations:write"],
    input: ObligationPatch,
    output: ObligationAnswer,
    errors: ["not_found", "invalid_transition", "precondition_failed", "conflict"],
    run: async (ctx, input) => ({ obligation: obligationFrom(await patchObligation(ctx, input), ctx.now) }),
  }),
  patchMany: operation({
    summary: "Complete, waive or reassign many obligations",
    description:
      "Each obligation is changed on its own; the response says for each whether it changed, or why not.",
    scopes: ["obligations:write"],
    input: ObligationsPatch,
    output: ObligationsPatched,
    errors: [],
    ignoresIdempotencyKey: true,
    run: patchObligations,
  }),
};
