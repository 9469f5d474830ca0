import { z } from "zod";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { contractFields, contractTypes, DocumentIn, ourRoles } from "#lib/contracts/schema.ts";
import {
  alongsideFieldIssues,
  choice,
  clearable,
  idIn,
  idOut,
  lines,
  name,
  pathId,
  rawText,
  text,
  timestamp,
} from "#lib/core/wire.ts";
import { anchorTypes, obligationKinds, offsetDirections, offsetUnits } from "#lib/obligations/lifecycle.ts";
import { obligationSchedule } from "#lib/obligations/schema.ts";

const gates = z
  .array(z.object({ tag: z.string(), whenOn: z.boolean() }))
  .meta({ description: "All must hold: the section `tag` is on (whenOn true) or off (whenOn false)" });

export const variableTypes = [
  "text",
  "textarea",
  "number",
  "currency",
  "date",
  "boolean",
  "select",
  "email",
] as const;
export type VariableType = (typeof variableTypes)[number];

/** What a variable can be bound to: dotted paths into the workspace's data. */
export const bindingNames = [
  "contract.title",
  "contract.type",
  "contract.ourRole",
  "contract.effectiveDate",
  "contract.expiresAt",
  "contract.termMonths",
  "contract.autoRenews",
  "contract.renewalMonths",
  "contract.value",
  "contract.valueCurrency",
  "counterparty.name",
  "counterparty.domain",
  "contact.name",
  "contact.email",
  "organization.name",
  "organization.currency",
  "owner.name",
  "owner.email",
  "today",
] as const;
export type BindingName = (typeof bindingNames)[number];

export const TemplateVariable = z
  .object({
    key: z.string(),
    label: z.string(),
    type: z.enum(variableTypes),
    required: z.boolean(),
    options: z.array(z.string()),
    binding: z
      .string()
      .nullable()
      .meta({ description: "Where its value comes from, such as counterparty.name" }),
    defaultValue: z.string().nullable(),
    helpText: z.string().nullable(),
    requiresInput: z
      .boolean()
      .meta({ description: "It is required, and neither binding nor defaultValue provides a value" }),
    gates,
  })
  .meta({ id: "TemplateVariable" });

export const sectionControls = ["rep", "rule", "fixed"] as const;

export const TemplateSection = z
  .object({
    tag: z.string(),
    label: z.string(),
    helpText: z.string().nullable(),
    groupId: z.string().nullable(),
    defaultOn: z.boolean(),
    control: z.enum(sectionControls),
    repCanOverrideRule: z.boolean(),
    gates,
    preview: z.string().nullable(),
  })
  .meta({ id: "TemplateSection" });

export const TemplateSectionGroup = z
  .object({
    id: z.string(),
    label: z.string(),
    helpText: z.string().nullable(),
    required: z
      .boolean()
      .meta({ description: "true: exactly one of its sections is on; false: at most one" }),
    defaultTag: z.string().nullable(),
  })
  .meta({ id: "TemplateSectionGroup" });

export const Template = z
  .object({
    id: idOut("template"),
    name: z.string(),
    description: z.string().nullable(),
    contractType: z.enum(contractTypes),
    ourRole: z.enum(ourRoles),
    titlePattern: z.string().nullable().meta({ example: "NDA with {counterparty.name}" }),
    fileName: z.string().meta({ example: "mutual-nda.docx" }),
    updatedAt: timestamp,
    variables: z.array(TemplateVariable),
    sections: z.array(TemplateSection),
    sectionGroups: z.array(TemplateSectionGroup),
  })
  .meta({ id: "Template" });

export const TemplateAnswer = z.object({ template: Template });
export const TemplateList = z.object({ data: z.array(Template) });

/** The most tags in a template: people fill in a form for them. */
export const maxTags = 200;

/** The most gates of a tag, and so the deepest nesting of sections. */
export const maxGates = 20;

const tag = rawText(100);

const gatesIn = z
  .array(z.strictObject({ tag, whenOn: z.boolean() }))
  .max(maxGates)
  .default([]);
const note = clearable(lines(1000).nullable()).default(null);

const literal = z.union([rawText(500), z.number(), z.boolean()], {
  error: "must be text, a number, true or false",
});

/** By their op, so that only one of them is tried: trying each costs several times as much where none matches. */
const comparisonsOf = <Operand extends z.ZodRawShape>(operand: Operand) =>
  z.discriminatedUnion("op", [
    z.strictObject({ ...operand, op: z.literal(["equals", "notEquals"]), value: literal }),
    z.strictObject({ ...operand, op: z.literal("in"), value: z.array(literal).min(1).max(100) }),
    z.strictObject({
      ...operand,
      op: z.literal(["greaterThan", "lessThan"]),
      value: z.union([rawText(40), z.number()]),
    }),
    z.strictObject({ ...operand, op: z.literal("isSet"), value: z.boolean().default(true) }),
  ]);

const conditions = [comparisonsOf({ variable: tag }), comparisonsOf({ binding: tag })] as const;

/** A condition on one variable or binding, or several conditions joined by all or any, up to four levels deep. */
export type TemplateRule =
  | { all: TemplateRule[] }
  | { any: TemplateRule[] }
  | z.output<(typeof conditions)[number]>;

function ruleOf(depth: number): z.ZodType<TemplateRule> {
  const inner = depth > 1 ? ruleOf(depth - 1) : (z.union(conditions) as z.ZodType<TemplateRule>);
  const several = z.array(inner).min(1).max(20);
  const joined = [z.strictObject({ all: several }), z.strictObject({ any: several })];
  return z.union([...conditions, ...joined], {
    error:
      "must compare a variable or a binding (op: equals, notEquals, in, greaterThan, lessThan or isSet; value), or join rules with all or any",
  }) as z.ZodType<TemplateRule>;
}

export const TemplateRule = ruleOf(4);

export const VariableSettings = z.strictObject({
  key: tag,
  label: name,
  type: choice(variableTypes),
  required: z.boolean().default(false),
  options: z.array(text(200).min(1, "must not be empty")).max(200).default([]),
  binding: clearable(text(100).nullable()).default(null),
  defaultValue: clearable(lines(20_000).nullable()).default(null),
  helpText: note,
  gates: gatesIn,
});
export type VariableSettings = z.output<typeof VariableSettings>;

export const SectionSettings = z.strictObject({
  tag,
  label: name,
  helpText: note,
  groupId: tag.nullable().default(null),
  defaultOn: z.boolean().default(false),
  control: choice(sectionControls).default("rep"),
  repCanOverrideRule: z.boolean().default(false),
  rule: TemplateRule.nullable().default(null),
  gates: gatesIn,
});
export type SectionSettings = z.output<typeof SectionSettings>;

export const GroupSettings = z.strictObject({
  id: tag.min(1, "must not be empty"),
  label: name,
  helpText: note,
  required: z.boolean().default(false),
  defaultTag: tag.nullable().default(null),
});
export type GroupSettings = z.output<typeof GroupSettings>;

/** An obligation of contracts created from the template, and when it is due. */
export const TemplateObligation = z
  .strictObject({
    kind: choice(obligationKinds),
    title: name,
    anchorType: choice(anchorTypes),
    ...obligationSchedule,
    offsetUnit: choice(offsetUnits).default("DAY"),
    offsetDirection: choice(offsetDirections).default("AFTER"),
    section: tag
      .nullable()
      .default(null)
      .meta({ description: "Only for contracts that this section is on in" }),
  })
  .refine(({ anchorType, fixedDate }) => anchorType !== "FIXED_DATE" || fixedDate, {
    ...alongsideFieldIssues,
    path: ["fixedDate"],
    error: "is required when anchorType is FIXED_DATE",
  });
export type TemplateObligation = z.output<typeof TemplateObligation>;

/** A template's settings, apart from its document. */
export const TemplateSettings = z.strictObject({
  name,
  description: clearable(lines(20_000).nullable()).default(null),
  contractType: choice(contractTypes),
  ourRole: choice(ourRoles),
  titlePattern: clearable(text(200).nullable()).default(null),
  variables: z.array(VariableSettings).max(maxTags).default([]),
  sections: z.array(SectionSettings).max(maxTags).default([]),
  sectionGroups: z.array(GroupSettings).max(50).default([]),
  obligations: z.array(TemplateObligation).max(50).default([]),
});
export type TemplateSettings = z.output<typeof TemplateSettings>;

/** The settings that can be given when a document is uploaded: the rest is guessed from its tags. */
export const PartialSettings = TemplateSettings.partial();
export type PartialSettings = z.output<typeof PartialSettings>;

const values = z
  .record(tag, z.union([z.string().max(20_000), z.number(), z.boolean(), z.null()]), {
    error: "must be an object with a value for each key",
  })
  .default({})
  .meta({
    description:
      "A value for each variable that is to differ from its binding or default: text, a number, true or false. Amounts as 1250.00 or EUR 1250.00, dates as 2026-01-31",
    example: { governing_law: "England and Wales" },
  });

const switches = z
  .record(tag, z.boolean(), { error: "must be an object with true or false for each tag" })
  .default({})
  .meta({
    description: "True or false for each section that is to differ from its default",
    example: { non_solicitation: true },
  });

/** The other terms of a contract to create: the type comes from the template, and nothing is executed yet. */
const { shape: terms } = z
  .object(contractFields)
  .omit({ title: true, type: true, ourRole: true, ownerId: true, counterpartyId: true, executedAt: true });

const generation = {
  templateId: idIn("template"),
  counterpartyId: idIn("counterparty")
    .optional()
    .meta({ description: "Required unless counterpartyName is given; takes precedence over it" }),
  counterpartyName: name
    .optional()
    .meta({ description: "Names a counterparty, ignoring case; it is created if there is none" }),
  title: name.optional().meta({ description: "By default it follows from the template's titlePattern" }),
  ourRole: choice(ourRoles).optional().meta({ description: "By default the template's" }),
  ...terms,
  variables: values,
  sections: switches,
};

/** What a document is filled with, possibly incomplete. */
export const Filling = z.strictObject({ ...generation, ownerId: idIn("user").optional() });
export type Filling = z.output<typeof Filling>;

export const NewContractFromTemplate = z
  .strictObject({ ...generation, ownerId: idIn("user") })
  .refine(({ counterpartyId, counterpartyName }) => counterpartyId || counterpartyName, {
    ...alongsideFieldIssues,
    path: ["counterpartyId"],
    error: "is required, unless counterpartyName is given",
  });
export type NewContractFromTemplate = z.output<typeof NewContractFromTemplate>;

export const CreatedFromTemplate = z.object({ contractId: idOut("contract"), versionId: idOut("version") });

/** A template as its editors see it. */
export const TemplateDetail = Template.extend({
  revision: z.int(),
  archivedAt: timestamp.nullable(),
  sections: z.array(TemplateSection.extend({ rule: TemplateRule.nullable() })),
  obligations: z.array(z.unknown()),
  anchors: z.array(z.string()).meta({ description: "The places for signatures in the document" }),
});

export const TemplateDetailList = z.object({ data: z.array(TemplateDetail) });
export const TemplateDetailAnswer = z.object({ template: TemplateDetail });

export const TemplateRevision = z.object({
  number: z.int(),
  fileName: z.string(),
  sha256: z.string(),
  author: z.object({ id: z.string(), name: z.string() }).nullable(),
  createdAt: timestamp,
  settings: z.unknown(),
});
export const TemplateHistory = z.object({ data: z.array(TemplateRevision) });

export const NewTemplate = PartialSettings.extend({ file: DocumentIn });
export const NewTemplateDocument = z.strictObject({
  id: pathId("template"),
  file: DocumentIn,
  revision: z.int().optional(),
});

export const SaveSettings = TemplateSettings.extend({
  id: pathId("template"),
  revision: z
    .int()
    .optional()
    .meta({ description: "The revision that was read: refused if it is not the latest" }),
});

/** What a template's form shows: what is asked, which sections are on, what is wrong. */
export const TemplateCheck = z.object({
  title: z.string(),
  variables: z.array(
    z.object({
      key: z.string(),
      asked: z.boolean(),
      value: z.string().nullable().meta({ description: "As it is written in the document" }),
      from: z.enum(["supplied", "binding", "default"]).nullable(),
    }),
  ),
  sections: z.array(
    z.object({
      tag: z.string(),
      on: z.boolean(),
      canChoose: z.boolean(),
      why: z.string().nullable().meta({ description: "Why it cannot be chosen" }),
    }),
  ),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
});

export const TemplatePreview = z.object({ url: z.string(), expiresInSeconds: z.int() });

/** The contracts created from a template: how many, and the latest. */
export const TemplateUse = z.object({
  total: z.int(),
  latest: z.array(
    z.object({
      id: idOut("contract"),
      title: z.string(),
      status: z.enum(contractStatuses),
      templateRevision: z.int().nullable(),
      createdAt: timestamp,
    }),
  ),
});
