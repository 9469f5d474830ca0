/** Which types of custom fields there are, how many a workspace can have, what they are called in queries, how values are kept. */

/** How many fields a workspace can have: each is in every contract's answer. */
export const mostCustomFields = 50;

export const customFieldTypes = ["text", "number", "date", "choice", "member"] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** What a field is called as a sort, a filter and a column of tables. */
export const columnOfKey = (key: string) => `customFields.${key}` as const;

/** The key in such a name; undefined where it is no custom field's. */
export function keyIn(name: string): string | undefined {
  return name.startsWith("customFields.") ? name.slice("customFields.".length) : undefined;
}

/** Numbers and dates can be bounded. */
export const hasBounds = (type: CustomFieldType) => type === "number" || type === "date";

/** Values by their fields' ids, as a contract's row has them: a new field of an old key does not find an old value. */
export type FieldValues = Record<string, string>;
