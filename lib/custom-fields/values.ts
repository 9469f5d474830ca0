/** The values of contracts' custom fields: validates them in requests, and shows them by the fields' keys. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { type Issue, invalid, Refusal } from "#lib/core/errors.ts";
import type { Changes } from "#lib/core/history.ts";
import { dayIn, idIn, text } from "#lib/core/wire.ts";
import type { FieldValues } from "./catalogue.ts";
import { customFieldsOf } from "./custom-fields.ts";
import type { CustomField } from "./schema.ts";

/** Values by field key, as in requests. */
export type ValuesByKey = Record<string, string | null>;

/** A workspace's keys by field id, as a statement returns them; null if the workspace has no fields. */
export type FieldKeys = Record<string, string> | null;

/** The keys, as a column for statements in which $1 is the workspace. */
export const fieldKeys = `(SELECT jsonb_object_agg(f.id, f.key) FROM custom_fields f
  WHERE f.organization_id = $1::text) AS "fieldKeys"`;

/** A hash of the fields' ids, for comparisons: what a contract shows depends on them. */
export const fieldsStamp = `(SELECT md5(string_agg(f.id, ' ' ORDER BY f.id)) FROM custom_fields f
  WHERE f.organization_id = $1::text) AS "fieldsStamp"`;

/** Returns the value of every field of the workspace by key, null when empty. */
export function shownValues(keys: FieldKeys, values: FieldValues): ValuesByKey {
  return Object.fromEntries(Object.entries(keys ?? {}).map(([id, key]) => [key, values[id] ?? null]));
}

/** Returns the changes of shown values: on each side, only the keys that changed. */
export function valueChanges(keys: FieldKeys, before: FieldValues, after: FieldValues): Changes {
  const changed = Object.entries(keys ?? {}).filter(([id]) => before[id] !== after[id]);
  if (changed.length === 0) return {};
  const side = (values: FieldValues) =>
    Object.fromEntries(changed.map(([id, key]) => [key, values[id] ?? null]));
  return { customFields: { from: side(before), to: side(after) } };
}

/** A decimal number that the database stores exactly. */
export const decimal = /^-?(0|[1-9]\d{0,29})(\.\d{1,20})?$/;
const notANumber = "must be a number in digits, such as 1250 or -0.5, of at most 30 digits and 20 decimals";

const fieldText = text(500);

const maxNamed = 20;

function notAnOption(options: string[]): string {
  const others = options.length - maxNamed;
  const named = options.slice(0, maxNamed).join(", ");
  return `must be one of ${others > 0 ? `${named} and ${others} others` : named}`;
}

/** What is wrong with a value, or the value as it is stored. */
type Checked = { issue: string } | { value: string };

/** Validates a trimmed value against its field. `memberIds` are active members. */
export function validateValue(
  { type, options }: CustomField,
  value: string,
  memberIds: Set<string>,
): Checked {
  if (type === "number") return decimal.test(value) ? { value } : { issue: notANumber };
  if (type === "choice") return options.includes(value) ? { value } : { issue: notAnOption(options) };
  if (type === "member") {
    return memberIds.has(value)
      ? { value }
      : { issue: "is not the userId of an active member of this workspace" };
  }
  const { data, error } = (type === "date" ? dayIn : fieldText).safeParse(value);
  return data === undefined ? { issue: error?.issues[0]?.message ?? "is not valid" } : { value: data };
}

/**
 * Prepares to read the custom fields of requests. The returned function merges given values into those of a contract,
 * and throws if any are invalid. Unchanged values may stay, even members who left and options no longer offered.
 */
export async function valueReader(
  ctx: Context,
  requests: ValuesByKey[],
): Promise<(given: ValuesByKey, before: FieldValues) => FieldValues> {
  const fields = await customFieldsOf(ctx);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const memberIds = await membersNamed(ctx, byKey, requests);
  return (given, before) => {
    const values = new Map(fields.flatMap(({ id }) => (before[id] === undefined ? [] : [[id, before[id]]])));
    const issues: Issue[] = [];
    for (const [key, written] of Object.entries(given)) {
      const path = `customFields.${key}`;
      const field = byKey.get(key);
      const value = written?.trim();
      if (!field) issues.push({ path, message: "is not a custom field of this workspace" });
      else if (!value) values.delete(field.id);
      else if (value !== before[field.id]) {
        const result = validateValue(field, value, memberIds);
        if ("issue" in result) issues.push({ path, message: result.issue });
        else values.set(field.id, result.value);
      }
    }
    if (issues.length > 0) throw invalid(...issues);
    return Object.fromEntries(values);
  };
}

/** Returns a new contract's values as a document prints them, members by name. Returns invalid values as issues. */
export async function printedValues(
  ctx: Context,
  given: ValuesByKey,
): Promise<{ values: ValuesByKey; issues: Issue[] }> {
  if (Object.keys(given).length === 0) return { values: {}, issues: [] };
  try {
    const read = (await valueReader(ctx, [given]))(given, {});
    const fields = await customFieldsOf(ctx);
    const names = await namesOf(ctx, Object.values(read));
    const printed = fields.map(({ id, key, type }) => {
      const value = read[id] ?? null;
      return [key, type === "member" && value !== null ? (names.get(value) ?? null) : value];
    });
    return { values: Object.fromEntries(printed), issues: [] };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.issues) throw error;
    return { values: {}, issues: error.issues };
  }
}

async function namesOf(ctx: Context, userIds: string[]): Promise<Map<string, string>> {
  const rows = await select<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.user_id = ANY($2::text[])`,
    [ctx.organizationId, userIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the active members among the values of member fields. */
async function membersNamed(
  ctx: Context,
  byKey: Map<string, CustomField>,
  requests: ValuesByKey[],
): Promise<Set<string>> {
  const named = requests.flatMap(Object.entries).flatMap(([key, value]) => {
    const id = byKey.get(key)?.type === "member" ? idIn("user").safeParse(value) : null;
    return id?.success ? [id.data] : [];
  });
  if (named.length === 0) return new Set();
  const rows = await select<{ id: string }>(
    `SELECT user_id AS id FROM members
     WHERE organization_id = $1 AND user_id = ANY($2::text[]) AND removed_at IS NULL`,
    [ctx.organizationId, [...new Set(named)]],
  );
  return new Set(rows.map(({ id }) => id));
}
