import { z } from "zod";
import {
  alongsideFieldIssues,
  choice,
  clearable,
  dayIn,
  idIn,
  idOut,
  longText,
  months,
  name,
  page,
  pageOf,
  pathId,
  searchText,
  timestamp,
  timestampIn,
} from "#lib/core/wire.ts";
import {
  anchorTypes,
  obligationKinds,
  obligationSources,
  obligationStatuses,
  offsetDirections,
  offsetUnits,
} from "./lifecycle.ts";

export const Obligation = z
  .object({
    id: idOut("obligation"),
    contractId: idOut("contract"),
    kind: z.enum(obligationKinds),
    title: z.string().meta({ example: "Give notice before the renewal" }),
    description: z.string().nullable(),
    sourceText: z.string().nullable().meta({ description: "The clause it comes from" }),
    sourcePage: z.int().nullable().meta({ description: "Where the clause stands in the document, from 1" }),
    source: z.enum(obligationSources),
    status: z.enum(obligationStatuses).meta({
      description:
        "Open statuses follow from the date: PENDING_ANCHOR without one, OVERDUE before today, DUE within 30 days, otherwise UPCOMING",
    }),
    anchorType: z.enum(anchorTypes),
    offsetValue: z.int(),
    offsetUnit: z.enum(offsetUnits),
    offsetDirection: z.enum(offsetDirections),
    fixedDate: timestamp.nullable(),
    recurrenceMonths: z.int().nullable(),
    resolvedDate: timestamp.nullable(),
    resolutionBasis: z.string().meta({
      example: "EXPIRATION_DATE 2026-12-31 (effective 2026-01-01 + 12 months) - 60 DAY = 2026-11-01",
    }),
    assigneeId: idOut("user").nullable().meta({ description: "Null follows the contract's owner" }),
    assignee: z
      .object({ id: idOut("user"), name: z.string(), email: z.string() })
      .meta({ description: "Who sees to it: the member it is assigned to, or the contract's owner" }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Obligation" });
export type Obligation = z.output<typeof Obligation>;

/** For people, an obligation includes its contract. */
const withContract = {
  contract: z.object({ id: idOut("contract"), title: z.string() }),
  counterparty: z.object({ id: idOut("counterparty"), name: z.string() }).nullable(),
};
export const ObligationInContract = Obligation.extend(withContract).meta({ id: undefined });
export type ObligationInContract = z.output<typeof ObligationInContract>;

export const ObligationAnswer = z.object({ obligation: Obligation });
export const ObligationList = z.object({ data: z.array(Obligation) });
export const obligationPageSize = 25;
export const ObligationPage = pageOf(Obligation);
export const ObligationAgenda = pageOf(ObligationInContract);

const offsetValue = z
  .number({ error: "must be a whole number from 0 to 3650" })
  .int("must be a whole number from 0 to 3650")
  .min(0, "must be a whole number from 0 to 3650")
  .max(3650, "must be a whole number from 0 to 3650");

const assigneeId = idIn("user")
  .nullable()
  .meta({ description: "The userId of an active member; null follows the contract's owner" });

export const obligationSchedule = {
  description: clearable(longText.nullable()).optional(),
  sourceText: clearable(longText.nullable()).optional(),
  offsetValue: offsetValue.optional(),
  offsetUnit: choice(offsetUnits).optional(),
  offsetDirection: choice(offsetDirections).optional(),
  fixedDate: timestampIn
    .nullable()
    .optional()
    .meta({ description: "The date of FIXED_DATE, and of EVENT once it is known" }),
  recurrenceMonths: months(120).nullable().optional(),
};

export const NewObligation = z
  .strictObject({
    contractId: idIn("contract"),
    kind: choice(obligationKinds),
    title: name,
    anchorType: choice(anchorTypes),
    source: choice(["MANUAL", "IMPORT"]).default("MANUAL"),
    assigneeId: assigneeId.optional(),
    ...obligationSchedule,
  })
  .refine(({ anchorType, fixedDate }) => anchorType !== "FIXED_DATE" || fixedDate, {
    ...alongsideFieldIssues,
    path: ["fixedDate"],
    error: "is required when anchorType is FIXED_DATE",
  });
export type NewObligation = z.output<typeof NewObligation>;

const occurrence = timestampIn.nullable().meta({
  description:
    "The resolvedDate as it was seen. Nothing changes once another occurrence is the next one: 409 `conflict`",
});

export const ObligationPatch = z.strictObject({
  id: pathId("obligation"),
  kind: choice(obligationKinds).optional(),
  title: name.optional(),
  anchorType: choice(anchorTypes).optional(),
  status: choice(obligationStatuses).optional().meta({
    example: "COMPLETED",
    description:
      "COMPLETED, WAIVED, UPCOMING to accept a suggestion or to reopen, or CANCELLED to reject a suggestion",
  }),
  occurrence: occurrence.optional(),
  assigneeId: assigneeId.optional(),
  ...obligationSchedule,
});
export type ObligationPatch = z.output<typeof ObligationPatch>;

/** One change to many obligations: completed, waived, or assigned to someone else. */
export const ObligationsPatch = z
  .strictObject({
    ids: z.array(idIn("obligation")).min(1, "must not be empty").max(100, "must be at most 100"),
    status: ObligationPatch.shape.status,
    occurrences: z
      .array(z.strictObject({ id: idIn("obligation"), occurrence }))
      .max(100, "must be at most 100")
      .optional(),
    assigneeId: assigneeId.optional(),
  })
  .refine(({ status, assigneeId: assignee }) => status !== undefined || assignee !== undefined, {
    ...alongsideFieldIssues,
    path: [],
    error: "must include a status or an assigneeId",
  });
export type ObligationsPatch = z.output<typeof ObligationsPatch>;

export const ObligationsPatched = z.object({
  results: z.array(
    z.object({
      id: idOut("obligation"),
      ok: z.boolean(),
      status: z
        .enum(obligationStatuses)
        .nullable()
        .meta({ description: "Its status now; null if the change was refused" }),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type ObligationsPatched = z.output<typeof ObligationsPatched>;

export const ObligationQuery = z.object({
  q: searchText.meta({ description: "Searches titles, ignoring case" }),
  status: z.array(choice(obligationStatuses)).optional().meta({
    description: "Without it, all but SUGGESTED: what a document proposes is listed when asked for",
  }),
  kind: z.array(choice(obligationKinds)).optional(),
  counterpartyId: idIn("counterparty").optional(),
  contractId: idIn("contract").optional(),
  ownerId: idIn("user").optional().meta({ description: "Only those of contracts that this member owns" }),
  assigneeId: idIn("user").optional().meta({
    description:
      "Only those that show this assignee: assigned to the member, or following them as the contract's owner",
  }),
  dueFrom: timestampIn.optional(),
  dueTo: timestampIn.optional(),
  archived: choice(["false", "true", "any"]).optional().meta({
    description:
      "true lists those of archived contracts only, any lists them too; without it they are left out unless contractId names theirs",
  }),
  page,
});
export type ObligationQuery = z.output<typeof ObligationQuery>;

export const ObligationsOfContract = z.object({
  id: pathId("contract"),
  status: ObligationQuery.shape.status,
});
export type ObligationsOfContract = z.output<typeof ObligationsOfContract>;

/** A month as a wall calendar shows it: six weeks. */
const maxDays = 42;

export const CalendarQuery = z
  .object({
    from: dayIn.meta({ description: "First day, inclusive" }),
    to: dayIn.meta({ description: "Last day, inclusive" }),
    status: ObligationQuery.shape.status,
    kind: ObligationQuery.shape.kind,
    counterpartyId: ObligationQuery.shape.counterpartyId,
    ownerId: ObligationQuery.shape.ownerId,
    assigneeId: ObligationQuery.shape.assigneeId,
  })
  .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < maxDays * 86_400_000, {
    ...alongsideFieldIssues,
    path: ["to"],
    error: `must be at most ${maxDays} days from the first`,
  });
export type CalendarQuery = z.output<typeof CalendarQuery>;

export const ObligationCalendar = z.object({
  days: z
    .array(
      z.object({
        day: z.string(),
        count: z.int(),
        obligations: z.array(ObligationInContract).meta({ description: "The first three of the day" }),
      }),
    )
    .meta({ description: "Only days that have any" }),
});

/** A schedule that is being entered: `id` if it changes an existing obligation. */
export const ObligationDraft = z.strictObject({
  contractId: idIn("contract"),
  id: idIn("obligation").optional(),
  anchorType: choice(anchorTypes),
  offsetValue: obligationSchedule.offsetValue,
  offsetUnit: obligationSchedule.offsetUnit,
  offsetDirection: obligationSchedule.offsetDirection,
  fixedDate: obligationSchedule.fixedDate,
  recurrenceMonths: obligationSchedule.recurrenceMonths,
});
export type ObligationDraft = z.output<typeof ObligationDraft>;

export const ObligationPreview = z.object({
  resolvedDate: timestamp.nullable(),
  resolutionBasis: z.string(),
});
