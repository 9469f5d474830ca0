/** Creates and changes counterparties. */
import { change, differences, excerpt } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Entry } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import { lockCounterparty } from "./rows.ts";
import type { Counterparty, CounterpartyNotes, CounterpartyPatch, NewCounterparty } from "./schema.ts";

/** Creates a counterparty. Two may have the same name. */
export async function createCounterparty(ctx: Context, input: NewCounterparty): Promise<Counterparty> {
  const [counterparty] = await createCounterparties(ctx, [input]);
  return counterparty!;
}

const rowsAtOnce = 200;

/** Creates many, in this order. */
export async function createCounterparties(ctx: Context, inputs: NewCounterparty[]): Promise<Counterparty[]> {
  const now = ctx.now.toISOString();
  const made = inputs.map(({ name, domain = null, notes = null, relationshipTypes = [] }) => ({
    ...{ id: newId("counterparty"), name, domain, notes, relationshipTypes },
    ...{ contractCount: 0, createdAt: now, updatedAt: now },
  }));
  await change(ctx, async (tx, record) => {
    for (let at = 0; at < made.length; at += rowsAtOnce) {
      await tx.counterparty.createMany({
        data: made
          .slice(at, at + rowsAtOnce)
          .map(({ contractCount: _, ...row }) => ({ ...own(ctx), ...row })),
      });
    }
    for (const counterparty of made) {
      record({
        action: "COUNTERPARTY_CREATED",
        target: { type: "counterparty", id: counterparty.id },
        changes: { name: { from: null, to: counterparty.name } },
        resource: { counterparty },
      });
    }
  });
  return made;
}

/** Updates the given fields. */
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
