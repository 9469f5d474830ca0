/** Contacts: the people at a counterparty. */
import { change, differences, type Recorder } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { notFound } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { expectUnchanged } from "#lib/core/serialize.ts";
import { contactsOf, lockCounterparty } from "./rows.ts";
import { type Contact, ContactAnswer, type ContactPatch, type NewContact } from "./schema.ts";

export async function createContact(ctx: Context, { id, ...input }: NewContact): Promise<Contact> {
  const { name, email, isPrimary = false } = input;
  const made = { id: newId("contact"), counterpartyId: id, name, email, isPrimary };
  const now = ctx.now.toISOString();
  const contact = { ...made, createdAt: now, updatedAt: now };
  await change(ctx, async (tx, record) => {
    await lockCounterparty(ctx, id);
    if (isPrimary) await clearPrimary(tx, record, ctx, id);
    await tx.contact.create({
      data: { ...own(ctx), ...made, createdAt: ctx.now, updatedAt: ctx.now },
    });
    record({
      action: "CONTACT_CREATED",
      target: { type: "contact", id: made.id },
      changes: Object.fromEntries(
        Object.entries({ name, email, isPrimary }).map(([field, to]) => [field, { from: null, to }]),
      ),
      resource: { contact },
    });
  });
  return contact;
}

/** Updates the given fields. */
export async function patchContact(
  ctx: Context,
  { id, contactId, ...patch }: ContactPatch,
): Promise<Contact> {
  return change(ctx, async (tx, record) => {
    const before = await lockContact(ctx, id, contactId);
    await expectUnchanged(ctx, ContactAnswer, () => ({ contact: before }));
    const { fields, changes } = differences(before, patch);
    if (Object.keys(changes).length === 0) return before;
    if (fields.isPrimary) await clearPrimary(tx, record, ctx, id);
    await tx.contact.update({
      where: { organizationId_id: { ...own(ctx), id: contactId } },
      data: { ...fields, updatedAt: ctx.now },
    });
    const contact = { ...before, ...fields, updatedAt: ctx.now.toISOString() };
    const target = { type: "contact", id: contactId };
    record({ action: "CONTACT_UPDATED", target, changes, resource: { contact } });
    return contact;
  });
}

/** Deletes a contact. Signers chosen from it keep their name and address. */
export async function removeContact(
  ctx: Context,
  { id, contactId }: { id: string; contactId: string },
): Promise<void> {
  await change(ctx, async (tx, record) => {
    const { name, email } = await lockContact(ctx, id, contactId);
    await tx.contact.delete({ where: { organizationId_id: { ...own(ctx), id: contactId } } });
    record({
      action: "CONTACT_DELETED",
      target: { type: "contact", id: contactId },
      changes: { name: { from: name, to: null }, email: { from: email, to: null } },
    });
  });
}

/** Reads a contact, and locks all of the counterparty's contacts until the commit. */
async function lockContact(ctx: Context, counterpartyId: string, contactId: string): Promise<Contact> {
  await lockCounterparty(ctx, counterpartyId);
  const contacts = await contactsOf(ctx, counterpartyId);
  const found = contacts.find((contact) => contact.id === contactId);
  if (!found) throw notFound("contact");
  return found;
}

/** Unmarks the primary contact, before another one becomes it. */
async function clearPrimary(
  tx: Transaction,
  record: Recorder,
  ctx: Context,
  counterpartyId: string,
): Promise<void> {
  const primary = await tx.contact.updateManyAndReturn({
    where: { ...own(ctx), counterpartyId, isPrimary: true },
    data: { isPrimary: false, updatedAt: ctx.now },
  });
  for (const contact of primary) {
    record({
      action: "CONTACT_UPDATED",
      target: { type: "contact", id: contact.id },
      changes: { isPrimary: { from: true, to: false } },
      resource: { contact },
    });
  }
}
