/** Creates, changes and deletes the fields that a workspace adds to its contracts. */
import { change, differences, reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { invalid, notFound, Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { sortedByName, toJsonValue } from "#lib/core/wire.ts";
import { maxCustomFields } from "./catalogue.ts";
import type { CustomField, CustomFieldPatch, NewCustomField } from "./schema.ts";

/** Returns all fields of a workspace, sorted by name. */
export async function customFieldsOf(ctx: Context): Promise<CustomField[]> {
  const rows = await reader().customField.findMany({ where: own(ctx) });
  return sortedByName(toJsonValue(rows) as CustomField[]);
}

export async function listCustomFields(ctx: Context) {
  const data = await customFieldsOf(ctx);
  const hasMembers = data.some(({ type }) => type === "member");
  return { data, formerMembers: hasMembers ? await formerMembers(ctx) : [] };
}

/** Returns people who have left but are values of member fields: the list of members no longer has their names. */
async function formerMembers(ctx: Context) {
  return select<{ userId: string; name: string }>(
    `SELECT u.id AS "userId", u.name FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NOT NULL AND EXISTS (
       SELECT FROM custom_fields f
       JOIN contract_field_values v ON v.organization_id = f.organization_id AND v.field_id = f.id AND v.text = m.user_id
       WHERE f.organization_id = m.organization_id AND f.type = 'member')
     ORDER BY u.name, u.id`,
    [ctx.organizationId],
  );
}

export async function createCustomField(
  ctx: Context,
  input: NewCustomField,
): Promise<{ customField: CustomField }> {
  return change(ctx, async (tx, record) => {
    await lockFields(ctx);
    const fields = await customFieldsOf(ctx);
    if (fields.some(({ key }) => key === input.key)) {
      throw invalid({ path: "key", message: "is already another field's key" });
    }
    if (fields.length >= maxCustomFields) {
      throw new Refusal(
        "conflict",
        `A workspace can have ${maxCustomFields} custom fields. Delete one that is not needed any more.`,
      );
    }
    const id = newId("customField");
    const data = { ...own(ctx), ...input, id, createdAt: ctx.now, updatedAt: ctx.now };
    const customField = toJsonValue(await tx.customField.create({ data })) as CustomField;
    const { key, name, type, options } = customField;
    const changes = {
      ...{ key: { from: null, to: key }, name: { from: null, to: name }, type: { from: null, to: type } },
      ...(type === "choice" ? { options: { from: null, to: options } } : {}),
    };
    record({ action: "CUSTOM_FIELD_CREATED", target: { type: "customField", id }, changes });
    return { customField };
  });
}

/** Renames a field or changes its options. Contracts keep values that are no longer an option. */
export async function updateCustomField(
  ctx: Context,
  { id, ...patch }: CustomFieldPatch,
): Promise<{ customField: CustomField }> {
  return change(ctx, async (tx, record) => {
    await lockFields(ctx);
    const before = await findField(tx, ctx, id);
    if (patch.options && before.type !== "choice") {
      throw invalid({ path: "options", message: "are only for a choice" });
    }
    const { fields, changes } = differences(before, patch);
    if (Object.keys(changes).length === 0) return { customField: before };
    const row = await tx.customField.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: { ...fields, updatedAt: ctx.now },
    });
    record({ action: "CUSTOM_FIELD_UPDATED", target: { type: "customField", id }, changes });
    return { customField: toJsonValue(row) as CustomField };
  });
}

/** Deletes a field. Its values in contracts are hidden, and removed when a contract's fields next change. */
export async function deleteCustomField(ctx: Context, { id }: { id: string }): Promise<void> {
  await change(ctx, async (tx, record) => {
    await lockFields(ctx);
    const { key, name, type } = await findField(tx, ctx, id);
    await tx.customField.delete({ where: { organizationId_id: { ...own(ctx), id } } });
    // Names the column so that the query uses its index, which contains only rows that are not null.
    const column = type === "number" ? "number" : type === "date" ? "day" : "text";
    await tx.contractFieldValue.deleteMany({ where: { ...own(ctx), fieldId: id, [column]: { not: null } } });
    record({
      action: "CUSTOM_FIELD_DELETED",
      target: { type: "customField", id },
      changes: { key: { from: key, to: null }, name: { from: name, to: null } },
    });
  });
}

/** Locks a workspace's fields until the commit, so that the second of two concurrent changes sees the first. */
async function lockFields(ctx: Context): Promise<void> {
  await select("SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [ctx.organizationId]);
}

async function findField(tx: Transaction, ctx: Context, id: string): Promise<CustomField> {
  const row = await tx.customField.findFirst({ where: { ...own(ctx), id } });
  if (!row) throw notFound("custom field");
  return toJsonValue(row) as CustomField;
}
