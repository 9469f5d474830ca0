/** Counterparties: made and changed. */
import { change, differences, excerpt } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Entry } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import { lockCounterparty } from "./rows.ts";
import type { Counterparty, CounterpartyNotes, CounterpartyPatch, NewCounterparty } from "./schema.ts";

/** Makes a counterparty. Two may have the same name. */
export async function createCounterparty(ctx: Context, input: NewCounterparty): Promise<Counterparty> {
  const id = newId("counterparty");
  const fields = {
    name: input.name,
    domain: input.domain ?? null,
    notes: input.notes ?? null,
    relationshipTypes: input.relationshipTypes ?? [],
  };
  const now = ctx.now.toISOString();
  const counterparty = { id, ...fields, contractCount: 0, createdAt: now, updatedAt: now };
  await change(ctx, async (tx, record) => {
    await tx.counterparty.create({
      data: { ...own(ctx), id, ...fields, createdAt: ctx.now, updatedAt: ctx.now },
    });
    record({
      action: "COUNTERPARTY_CREATED",
      target: { type: "counterparty", id },
      changes: { name: { from: null, to: input.name } },
      resource: { counterparty },
    });
  });
  return counterparty;
}

/** Changes what a PATCH names. */
export async function patchCounterparty(
  ctx: Context,
  { id, ...patch }: CounterpartyPatch,
): Promise<Counterparty> {
  return update(ctx, id, patch, "COUNTERPARTY_UPDATED");
}

export async function setNotes(ctx: Context, { id, notes }: CounterpartyNotes): Promise<void> {
  await update(ctx, id, { notes }, "COUNTERPARTY_NOTES_UPDATED");
}

type Fields = Omit<CounterpartyPatch, "id">;

async function update(
  ctx: Context,
  id: string,
  patch: Fields,
  action: Entry["action"],
): Promise<Counterparty> {
  return change(ctx, async (tx, record) => {
    const before = await lockCounterparty(ctx, id);
    const { fields, changes } = differences(before, patch);
    if (Object.keys(changes).length === 0) return before;
    await tx.counterparty.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: { ...fields, updatedAt: ctx.now },
    });
    if (changes.notes) changes.notes = { from: excerpt(before.notes), to: excerpt(fields.notes) };
    const after = { ...before, ...fields, updatedAt: ctx.now.toISOString() };
    const resource = { counterparty: after };
    record({ action, target: { type: "counterparty", id }, changes, resource, before });
    return after;
  });
}
