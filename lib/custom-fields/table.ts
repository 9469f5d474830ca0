/** Custom fields as columns of tables, for exports and imports. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Issue } from "#lib/core/errors.ts";
import { columnOfKey, type FieldValues } from "./catalogue.ts";
import { customFieldsOf } from "./custom-fields.ts";
import { type ValuesByKey, validateValue } from "./values.ts";

/** Returns the columns of a workspace's fields with their cells. Members appear as e-mail addresses, as owners do. */
export async function fieldCells(
  ctx: Context,
): Promise<[column: string, (values: FieldValues) => string | null][]> {
  const fields = await customFieldsOf(ctx);
  const people = fields.some(({ type }) => type === "member") ? await everyMember(ctx) : [];
  const emails = new Map(people.map(({ id, email }) => [id, email]));
  return fields.map(({ id, key, type }) => [
    columnOfKey(key),
    (values) => {
      const value = values[id] ?? null;
      return type === "member" && value !== null ? (emails.get(value) ?? value) : value;
    },
  ]);
}

/** Reads the columns of a workspace's fields. Members are given by e-mail address or userId. */
export async function fieldColumns(ctx: Context) {
  const fields = await customFieldsOf(ctx);
  const people = fields.some(({ type }) => type === "member") ? await everyMember(ctx) : [];
  const active = people.filter(({ isActive }) => isActive);
  const memberIds = new Set(active.map(({ id }) => id));
  const byEmail = new Map(active.map(({ id, email }) => [email.toLowerCase(), id]));
  return {
    columns: fields.map(({ key }) => columnOfKey(key)),
    customFieldsIn(row: Record<string, string>): { customFields: ValuesByKey; issues: Issue[] } {
      const customFields: ValuesByKey = {};
      const issues: Issue[] = [];
      for (const field of fields) {
        const path = columnOfKey(field.key);
        const cell = row[path];
        if (!cell) continue;
        const id = field.type === "member" ? byEmail.get(cell.toLowerCase()) : undefined;
        const result = validateValue(field, id ?? cell, memberIds);
        if ("issue" in result) issues.push({ path, message: result.issue });
        else customFields[field.key] = result.value;
      }
      return { customFields, issues };
    },
  };
}

/** Returns everyone who is or was a member. */
async function everyMember(ctx: Context) {
  return select<{ id: string; email: string; isActive: boolean }>(
    `SELECT u.id, u.email, m.removed_at IS NULL AS "isActive"
     FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`,
    [ctx.organizationId],
  );
}
