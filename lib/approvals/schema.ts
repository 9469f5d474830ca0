/** The schemas of approval rules and approvals. */
import { z } from "zod";
import { contractTypes, ourRoles } from "#lib/contracts/schema.ts";
import {
  centsIn,
  centsOut,
  choice,
  currency,
  idIn,
  idOut,
  name,
  page,
  pageOf,
  pathId,
  requiredLines,
  timestamp,
} from "#lib/core/wire.ts";
import { relationshipTypes } from "#lib/counterparties/schema.ts";
import { answers, approverRoles, deviations, maxPeople, maxSteps, needs, outcomes } from "./catalogue.ts";

/** How many rules a workspace can have: each contract in review is checked against all of them. */
export const maxRules = 50;

const several = <T extends readonly [string, ...string[]]>(values: T) =>
  z.array(choice(values)).max(values.length, `must be at most ${values.length}`).default([]);

const ConditionsIn = z.strictObject({
  types: several(contractTypes),
  ourRoles: several(ourRoles),
  value: z
    .strictObject({ atLeastCents: centsIn, currency })
    .nullable()
    .default(null)
    .meta({ description: "No value, or one in another currency, counts as above" }),
  relationshipTypes: several(relationshipTypes).meta({ description: "Of its counterparty" }),
  deviation: choice(deviations).nullable().default(null).meta({
    description:
      "CHANGED: the document is not as its template made it. CHANGED_OR_NONE: or no template made it",
  }),
});

const StepIn = z
  .strictObject({
    needs: choice(needs).default("ANY"),
    role: choice(approverRoles).nullable().default(null),
    userIds: z.array(idIn("user")).max(maxPeople, `must name at most ${maxPeople} people`).default([]),
  })
  .refine(({ role, userIds }) => (role === null) === userIds.length > 0, {
    error: "must have either a role or people",
  });

export const NewApprovalRule = z.strictObject({
  name,
  conditions: ConditionsIn.prefault({}),
  steps: z
    .array(StepIn)
    .min(1, "must have at least one step")
    .max(maxSteps, `must have at most ${maxSteps} steps`),
});
export type NewApprovalRule = z.output<typeof NewApprovalRule>;

export const ApprovalRuleUpdate = NewApprovalRule.extend({
  id: pathId("approvalRule"),
  updatedAt: timestamp
    .optional()
    .meta({ description: "When the rule that was read was saved: refused if it has changed since" }),
});
export type ApprovalRuleUpdate = z.output<typeof ApprovalRuleUpdate>;
export const ApprovalRuleId = z.strictObject({ id: pathId("approvalRule") });

const person = z.object({ id: idOut("user"), name: z.string() });
export type Person = z.output<typeof person>;

const Approver = person.extend({
  canApprove: z
    .boolean()
    .meta({ description: "False: no member any more, or a viewer. Owners approve instead" }),
});

const StepOut = z.object({
  needs: z.enum(needs),
  role: z.enum(approverRoles).nullable(),
  people: z.array(Approver),
});
export type ApprovalStep = z.output<typeof StepOut>;

export const ApprovalRule = z.object({
  id: idOut("approvalRule"),
  name: z.string(),
  conditions: z.object({
    types: z.array(z.enum(contractTypes)),
    ourRoles: z.array(z.enum(ourRoles)),
    value: z.object({ atLeastCents: centsOut, currency: z.string() }).nullable(),
    relationshipTypes: z.array(z.enum(relationshipTypes)),
    deviation: z.enum(deviations).nullable(),
  }),
  steps: z.array(StepOut),
  updatedAt: timestamp,
});
export type ApprovalRule = z.output<typeof ApprovalRule>;

export const ApprovalRules = z.object({ data: z.array(ApprovalRule) });
export const ApprovalRuleAnswer = z.object({ rule: ApprovalRule });

const Answer = z.object({
  answer: z.enum(answers),
  by: person,
  to: person.nullable().meta({ description: "To whom it was delegated" }),
  at: timestamp,
});
export type ApprovalAnswer = z.output<typeof Answer>;

const version = z.object({ id: idOut("version"), versionNumber: z.int() }).nullable();

const Past = z.object({
  id: idOut("approval"),
  version,
  requestedBy: person,
  requestedAt: timestamp,
  outcome: z.enum(outcomes).nullable().meta({ description: "Null: it is open" }),
  reason: z.string().nullable(),
  endedBy: person.nullable().meta({ description: "Null: it is open, or a new version ended it" }),
  endedAt: timestamp.nullable(),
});
export type PastApproval = z.output<typeof Past>;

const Approval = Past.extend({
  step: z.int().meta({ description: "The step that is asked now, from 0" }),
  steps: z.array(StepOut.extend({ answers: z.array(Answer) })),
  currentApprovers: z
    .array(person)
    .meta({ description: "Empty while the contract is archived or not in review" }),
});
export type Approval = z.output<typeof Approval>;

export const ContractApproval = z.object({
  isNeeded: z.boolean().meta({ description: "A rule applies, and what it asks for is not given" }),
  missing: z.string().nullable().meta({ description: "Who is missing, in a sentence" }),
  rules: z.array(z.string()).meta({ description: "The names of the rules that apply now" }),
  steps: z.array(StepOut).meta({ description: "What they ask for" }),
  approval: Approval.nullable().meta({ description: "The latest request" }),
  earlier: z.array(Past).meta({ description: "Those before, the newest first; at most ten" }),
});
export type ContractApproval = z.output<typeof ContractApproval>;

export const ContractId = z.strictObject({ id: pathId("contract") });
export const RequestedApproval = z.object({ approval: z.object({ id: idOut("approval") }) });

/** An answer names the step that the member saw, so that a second click does not approve the next one. */
const answered = {
  id: pathId("approval"),
  step: z.int("must be a step's number").min(0, "must be at least 0"),
};
export const Approving = z.strictObject(answered);
export const SendingBack = z.strictObject({ ...answered, reason: requiredLines(2_000) });
export const Delegation = z.strictObject({ ...answered, userId: idIn("user") });
export const ApprovalId = z.strictObject({ id: pathId("approval") });

export const MyApprovalsQuery = z.strictObject({ page });
export const myApprovalsPageSize = 25;

export const MyApproval = z.object({
  id: idOut("approval"),
  contract: z.object({ id: idOut("contract"), title: z.string() }),
  counterpartyName: z.string().nullable(),
  version,
  requestedBy: person,
  askedSince: timestamp,
});
export type MyApproval = z.output<typeof MyApproval>;
export const MyApprovals = pageOf(MyApproval);
