/** Filters and sorts lists by custom fields, as SQL over `contracts c` in which $1 is the workspace. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { type Issue, invalid } from "#lib/core/errors.ts";
import { dayIn, requiredText } from "#lib/core/wire.ts";
import { type CustomFieldType, hasBounds } from "./catalogue.ts";
import { customFieldsOf } from "./custom-fields.ts";
import type { CustomField, CustomFieldsFilter } from "./schema.ts";
import { decimal } from "./values.ts";

/** Adds a value to a statement and returns its placeholder. */
type AddParameter = (value: unknown) => string;

/** The column of contract_field_values for each type. */
const columnOf = { text: "text", choice: "text", member: "text", number: "number", date: "day" } as const;
const castOf = { text: "text", number: "numeric", day: "date" } as const;

/** Returns one condition for each field in the filter. */
export async function fieldConditions(
  ctx: Context,
  given: NonNullable<CustomFieldsFilter>,
  place: AddParameter,
): Promise<string[]> {
  if (Object.keys(given).length === 0) return [];
  const fields = new Map((await customFieldsOf(ctx)).map((field) => [field.key, field]));
  const issues: Issue[] = [];
  const asked = new Map<CustomField, string[]>();
  for (const [name, values] of Object.entries(given)) {
    const [, key = "", bound] = /^(.*?)(From|To)?$/s.exec(name) ?? [];
    const field = fields.get(key);
    const wrong = field
      ? await filterError(ctx, field, bound, values)
      : "is not a custom field of this workspace";
    if (wrong) issues.push({ path: `customFields.${name}`, message: wrong });
    else if (field) {
      asked.set(field, [...(asked.get(field) ?? []), comparison(field.type, bound, values, place)]);
    }
  }
  if (issues.length > 0) throw invalid(...issues);
  return [...asked].map(
    ([{ id }, comparisons]) => `c.id IN (SELECT v.contract_id FROM contract_field_values v
      WHERE v.organization_id = $1 AND v.field_id = ${place(id)} AND ${comparisons.join(" AND ")})`,
  );
}

async function filterError(
  ctx: Context,
  field: CustomField,
  bound: string | undefined,
  values: string[],
): Promise<string | undefined> {
  const { type, options } = field;
  if (bound && !hasBounds(type)) return "is only for numbers and dates";
  for (const value of values) {
    if (type === "number" && !decimal.test(value)) return "must be a number, such as 1250 or -0.5";
    const schema = type === "date" ? dayIn : requiredText();
    const { error } = schema.safeParse(value);
    if (error) return error.issues[0]?.message;
    if (type === "choice" && !options.includes(value) && !(await isStillInUse(ctx, field, value))) {
      return "is not one of its options";
    }
  }
  return undefined;
}

/** Whether a contract still has an option that is no longer offered. */
async function isStillInUse(ctx: Context, { id }: CustomField, option: string): Promise<boolean> {
  const rows = await select(
    "SELECT FROM contract_field_values WHERE organization_id = $1 AND field_id = $2 AND text = $3 LIMIT 1",
    [ctx.organizationId, id, option],
  );
  return rows.length > 0;
}

/** If a bound is given twice, the last one counts, as for any parameter that is not a list. */
function comparison(
  type: CustomFieldType,
  bound: string | undefined,
  values: string[],
  place: AddParameter,
): string {
  const column = columnOf[type];
  const cast = castOf[column];
  if (!bound) return `v.${column} = ANY(${place(values)}::text[]::${cast}[])`;
  return `v.${column} ${bound === "From" ? ">=" : "<="} ${place(values.at(-1))}::${cast}`;
}

export interface FieldOrder {
  /** Joins the values to sort by to `contracts c`. */
  join: string;
  by: string;
  /** Conditions: whether the contract has a value. They match the indexes, which contain only rows with values. */
  isFull: string;
  isEmpty: string;
}

/** Returns the order by a field's values; members are sorted by name. */
export async function fieldOrder(ctx: Context, key: string, place: AddParameter): Promise<FieldOrder> {
  const field = (await customFieldsOf(ctx)).find((one) => one.key === key);
  if (!field) throw invalid({ path: "sort", message: `names no custom field of this workspace: ${key}` });
  const values = `LEFT JOIN contract_field_values v ON v.organization_id = c.organization_id
    AND v.contract_id = c.id AND v.field_id = ${place(field.id)}`;
  const column = columnOf[field.type];
  const conditions = { isFull: `v.${column} IS NOT NULL`, isEmpty: "v.contract_id IS NULL" };
  if (field.type === "member") {
    return { join: `${values} LEFT JOIN users vu ON vu.id = v.text`, by: "lower(vu.name)", ...conditions };
  }
  return { join: values, by: column === "text" ? "lower(v.text)" : `v.${column}`, ...conditions };
}
