import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { pathId } from "#lib/core/wire.ts";
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
} from "./schema.ts";

export const obligations = {
  list: operation({
    summary: "List obligations",
    description: "25 a page, the soonest due first; those without a date come last.",
    scopes: ["obligations:read"],
    input: ObligationQuery,
    output: ObligationPage,
    errors: [],
    cacheable: true,
    run: listObligations,
  }),
  agenda: operation({
    summary: "List obligations with what they belong to",
    description: "As the list, each with its contract and counterparty.",
    scopes: ["obligations:read", "contracts:read", "counterparties:read"],
    input: ObligationQuery,
    output: ObligationAgenda,
    errors: [],
    cacheable: true,
    run: agendaOf,
  }),
  preview: operation({
    summary: "Tell when an obligation would fall due",
    description: "Nothing is saved.",
    scopes: ["obligations:read", "contracts:read"],
    input: ObligationDraft,
    output: ObligationPreview,
    errors: ["not_found"],
    run: previewObligation,
  }),
  listOfContract: operation({
    summary: "List all obligations of a contract",
    scopes: ["obligations:read"],
    input: z.object({ id: pathId("contract") }),
    output: ObligationList,
    errors: ["not_found"],
    cacheable: true,
    run: (ctx, { id }) => obligationsOf(ctx, id),
  }),
  calendar: operation({
    summary: "Tell what falls due on each day of a month",
    description: "Of each day how many, and the first three.",
    scopes: ["obligations:read", "contracts:read", "counterparties:read"],
    input: CalendarQuery,
    output: ObligationCalendar,
    errors: [],
    cacheable: true,
    run: calendarOf,
  }),
  read: operation({
    summary: "Read an obligation",
    scopes: ["obligations:read"],
    input: z.object({ id: pathId("obligation") }),
    output: ObligationAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ obligation: obligationFrom(await findObligation(ctx, id), ctx.now) }),
  }),
  create: operation({
    summary: "Make an obligation",
    description: "Its date is resolved from the contract at once. The answer has no body; location names it.",
    scopes: ["obligations:write"],
    input: NewObligation,
    status: 201,
    errors: ["conflict"],
    location: (made: { id: string }) => `/obligations/${made.id}`,
    run: createObligation,
  }),
  patch: operation({
    summary: "Change, complete, waive or open an obligation",
    description:
      "By hand, status may say COMPLETED, WAIVED, or UPCOMING (accept a suggestion, or open again). Completing one that recurs moves it to its next date.",
    scopes: ["obligations:write"],
    input: ObligationPatch,
    output: ObligationAnswer,
    errors: ["not_found", "invalid_transition", "precondition_failed", "conflict"],
    run: async (ctx, input) => ({ obligation: obligationFrom(await patchObligation(ctx, input), ctx.now) }),
  }),
};
