/** A person's own things: their name, and the workspace they look at. */
import { change } from "#lib/change.ts";
import type { SignedIn } from "#lib/context.ts";
import { database } from "#lib/db.ts";
import { listMemberships } from "#lib/members/memberships.ts";
import type { Profile } from "./schema.ts";
import { memberContext } from "./sessions.ts";

export async function readProfile({ user, session }: SignedIn): Promise<{ profile: Profile }> {
  const row = await database().prisma.user.findUniqueOrThrow({ where: { id: user.id } });
  const { id, name, email, passwordHash } = row;
  const passwordConfirmedAt = session.passwordConfirmedAt?.toISOString() ?? null;
  return { profile: { id, name, email, hasPassword: passwordHash !== null, passwordConfirmedAt } };
}

/**
 * Gives oneself another name. Lists show it, so every workspace of the person gets a line in its log: by the
 * change number that goes with it, answers that were kept with the name before are known to be old.
 */
export async function patchProfile(
  person: SignedIn,
  { name }: { name: string },
): Promise<{ profile: Profile }> {
  const { id, name: before } = person.user;
  if (name !== before) {
    const user = { ...person.user, name };
    const { data } = await listMemberships(person);
    // In one order, so that two such changes do not wait for each other.
    const memberships = data.sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
    const rename = { where: { id }, data: { name, updatedAt: person.now } };
    const [first] = memberships;
    if (!first) await database().prisma.user.update(rename);
    else {
      await change(memberContext(user, first.organizationId, first.role, person), async (tx) => {
        await tx.user.update(rename);
        for (const { organizationId, memberId, role } of memberships) {
          await change(memberContext(user, organizationId, role, person), async (_, record) => {
            const target = { type: "member", id: memberId };
            record({ action: "WORKSPACE_UPDATED", target, changes: { name: { from: before, to: name } } });
          });
        }
      });
    }
  }
  return readProfile(person);
}
