import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import {
  createCustomField,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from "./custom-fields.ts";
import {
  CustomFieldAnswer,
  CustomFieldId,
  CustomFieldList,
  CustomFieldPatch,
  NewCustomField,
} from "./schema.ts";

/** Operations on the fields that owners and admins add to contracts. */
export const customFields = {
  list: operation({
    summary: "List the custom fields of contracts",
    scopes: ["contracts:read"],
    input: z.strictObject({}),
    output: CustomFieldList,
    errors: [],
    run: listCustomFields,
  }),
  create: operation({
    summary: "Create a custom field",
    description: "Its key and type stay as they are created.",
    scopes: ["workspace:write"],
    input: NewCustomField,
    output: CustomFieldAnswer,
    status: 201,
    errors: ["conflict"],
    run: createCustomField,
  }),
  patch: operation({
    summary: "Rename a custom field or change its options",
    description: "Contracts keep an option that is there no more.",
    scopes: ["workspace:write"],
    input: CustomFieldPatch,
    output: CustomFieldAnswer,
    errors: ["not_found"],
    run: updateCustomField,
  }),
  remove: operation({
    summary: "Delete a custom field",
    description: "What contracts have in it is hidden.",
    scopes: ["workspace:write"],
    input: CustomFieldId,
    errors: ["not_found"],
    run: deleteCustomField,
  }),
};
