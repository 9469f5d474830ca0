import { z } from "zod";
import { contractTypes, ourRoles } from "#lib/contracts/schema.ts";
import { idOut, timestamp } from "#lib/wire.ts";

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
      .meta({ description: "It is required, and neither binding nor defaultValue gives a value" }),
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
    required: z.boolean().meta({ description: "Exactly one of its sections is on; else at most one" }),
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
