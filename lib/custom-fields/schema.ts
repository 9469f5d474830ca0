/** The schemas of the fields that a workspace adds to its contracts. */
import { z } from "zod";
import { choice, idOut, name, pathId, requiredText, timestamp } from "#lib/core/wire.ts";
import { customFieldTypes } from "./catalogue.ts";

const maxOptions = 100;
const maxInFilter = 100;

const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const longestKey = 40;

/** The name of a field in the API, in tables and in templates. */
const key = requiredText(longestKey)
  .regex(kebabCase, "must be lower-case letters and digits, with hyphens between words, such as cost-centre")
  .meta({ example: "cost-centre" });

export const CustomField = z.object({
  id: idOut("customField"),
  key: z.string(),
  name: z.string(),
  type: z.enum(customFieldTypes),
  options: z.array(z.string()).meta({ description: "Of a choice, in the order in which they are offered" }),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type CustomField = z.output<typeof CustomField>;

export const CustomFieldList = z.object({
  data: z.array(CustomField),
  formerMembers: z
    .array(z.object({ userId: idOut("user"), name: z.string() }))
    .meta({ description: "Who has left the workspace and still stands in a contract's field" }),
});

export const CustomFieldAnswer = z.object({ customField: CustomField });

const options = z
  .array(requiredText(100))
  .max(maxOptions, `must be at most ${maxOptions}`)
  .refine((all) => new Set(all.map((option) => option.toLowerCase())).size === all.length, {
    error: "must differ from each other, not only by case",
  });

const noOptions = "must name at least one option";

export const NewCustomField = z
  .strictObject({ key, name, type: choice(customFieldTypes), options: options.default([]) })
  .superRefine(({ type, options: given }, { addIssue }) => {
    if (type === "choice" && given.length === 0) {
      addIssue({ code: "custom", path: ["options"], message: noOptions });
    }
    if (type !== "choice" && given.length > 0) {
      addIssue({ code: "custom", path: ["options"], message: "are only for a choice" });
    }
  });
export type NewCustomField = z.output<typeof NewCustomField>;

export const CustomFieldPatch = z.strictObject({
  id: pathId("customField"),
  name: name.optional(),
  options: options.min(1, noOptions).optional(),
});
export type CustomFieldPatch = z.output<typeof CustomFieldPatch>;

export const CustomFieldId = z.strictObject({ id: pathId("customField") });

const rule = "text; number: a decimal string; date: YYYY-MM-DD; choice: one of its options; member: a userId";

/** A contract's values in responses: every field of the workspace by its key. */
export const CustomFieldsOut = z.record(z.string(), z.string().nullable()).meta({
  description: `Every custom field of the workspace by its key, null when empty (${rule})`,
  example: { "cost-centre": "Sales", seats: "250" },
});

/** A contract's values in requests. The workspace's fields define the valid keys and values. */
export const CustomFieldsIn = z
  .record(z.string(), z.string().nullable(), { error: "must be an object with a value for each key" })
  .optional()
  .meta({
    description: `By the keys of the workspace's custom fields; what is left out stays, null clears (${rule})`,
    example: {},
  });

/** The filter of a list: values by `<key>`, `<key>From` and `<key>To`. */
export const CustomFieldsFilter = z
  .record(z.string(), z.array(z.string().trim()).max(maxInFilter, `must be at most ${maxInFilter} values`))
  .optional()
  .meta({
    description:
      "By custom fields: `<key>` is exactly this, or any of several; `<key>From` and `<key>To` bound numbers and dates, inclusively",
  });
export type CustomFieldsFilter = z.output<typeof CustomFieldsFilter>;

/** The sort of a list by a field: `customFields.<key>`. */
export const CustomFieldSort = z.templateLiteral(
  ["customFields.", z.string().regex(/[a-z][a-z0-9]*(?:-[a-z0-9]+)*/)],
  { error: "must be customFields. and the key of a custom field" },
);
export type CustomFieldSort = z.output<typeof CustomFieldSort>;
