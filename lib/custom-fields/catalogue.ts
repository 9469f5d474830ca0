/** The types of custom fields, their limit per workspace, their names in queries, and how values are stored. */

/** How many fields a workspace can have: the response of every contract contains them all. */
export const maxCustomFields = 50;

export const customFieldTypes = ["text", "number", "date", "choice", "member"] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** The name of a field in sorts, filters and columns of tables. */
export const columnOfKey = (key: string) => `customFields.${key}` as const;

/** The key in such a name; undefined if it is not the name of a custom field. */
export function keyIn(name: string): string | undefined {
  return name.startsWith("customFields.") ? name.slice("customFields.".length) : undefined;
}

/** Whether filters can bound the values of a type. */
export const hasBounds = (type: CustomFieldType) => type === "number" || type === "date";

/** Values by field id, as a contract's row stores them, so that a new field with an old key has no old values. */
export type FieldValues = Record<string, string>;
