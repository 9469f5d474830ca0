/** Who is asked to sign: members, contacts, and anyone else with an address. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { type Issue, invalid } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { EnvelopeRow } from "#lib/signatures/rows.ts";
import type { NewSigner } from "./schema.ts";

type Person = { id: string; name: string; email: string };

/** The rows for the signers given by a member; throws for an unknown member or contact. */
export async function signersFrom(ctx: Context, row: EnvelopeRow, given: NewSigner[]) {
  const members = await membersOf(ctx, given);
  const contacts = await contactsOf(ctx, given);
  const known = new Set(row.signers.map(({ id }) => id));
  const issues: Issue[] = [];
  const used = new Set<string>();
  const signers = given.map((signer, index) => {
    const wrong = (field: string, message: string) =>
      issues.push({ path: `signers.${index}.${field}`, message });
    const {
      id = newId("signer"),
      userId = null,
      counterpartyContactId = null,
      orderIndex,
      codeRequired,
    } = signer;
    if (signer.id && (!known.has(id) || used.has(id))) wrong("id", "is not a signer of this request");
    used.add(id);
    const member = userId === null ? undefined : members.get(userId);
    const contact = counterpartyContactId === null ? undefined : contacts.get(counterpartyContactId);
    if (userId !== null && !member)
      wrong("userId", "is not the userId of an active member of this workspace");
    if (counterpartyContactId !== null && !contact) {
      wrong("counterpartyContactId", "is not a contact of this workspace");
    }
    if (member && contact) wrong("counterpartyContactId", "cannot go together with userId");
    const person = member ?? contact;
    const name = signer.name ?? person?.name;
    // A member always signs at their own address: another address would be another person.
    const email = member?.email ?? signer.email ?? person?.email;
    if (!name) wrong("name", "is required");
    if (!email) wrong("email", "is required");
    const party = member ? "ORG_USER" : contact ? "COUNTERPARTY_CONTACT" : "EXTERNAL";
    return {
      ...{ id, userId, counterpartyContactId, orderIndex, codeRequired, party },
      ...{ name: name ?? "", email: email ?? "" },
    };
  });
  if (issues.length > 0) throw invalid(...issues);
  return signers;
}

async function membersOf(ctx: Context, given: NewSigner[]): Promise<Map<string, Person>> {
  const ids = given.flatMap(({ userId }) => userId ?? []);
  const rows = await select<Person>(
    `SELECT u.id, u.name, u.email FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL AND m.user_id = ANY($2::text[])`,
    [ctx.organizationId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function contactsOf(ctx: Context, given: NewSigner[]): Promise<Map<string, Person>> {
  const ids = given.flatMap(({ counterpartyContactId }) => counterpartyContactId ?? []);
  const rows = await select<Person>(
    "SELECT id, name, email FROM contacts WHERE organization_id = $1 AND id = ANY($2::text[])",
    [ctx.organizationId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
