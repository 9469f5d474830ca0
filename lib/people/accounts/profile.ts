/** A person's own profile: their name, how they can confirm their identity, and how dates are written for them. */
import type { SignedIn } from "#lib/core/context.ts";
import { db } from "#lib/core/db.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { membershipsEver } from "#lib/people/members/memberships.ts";
import { changeAccount } from "./change-account.ts";
import type { Profile, ProfilePatch } from "./schema.ts";

export async function readProfile({ user, session }: SignedIn): Promise<{ profile: Profile }> {
  const row = await db.user.findUniqueOrThrow({ where: { id: user.id } });
  const { id, name, email, passwordHash, locale, timeZone } = row;
  const passwordConfirmedAt = session.passwordConfirmedAt?.toISOString() ?? null;
  const hasPassword = passwordHash !== null;
  return { profile: { id, name, email, locale, timeZone, hasPassword, passwordConfirmedAt } };
}

/** Updates the profile. The format of dates is private, so only a new name is logged. */
export async function patchProfile(
  person: SignedIn,
  { name, ...reading }: ProfilePatch,
): Promise<{ profile: Profile }> {
  if (Object.keys(reading).length > 0) {
    const where = { id: person.user.id };
    await housekeeping((store) => store.user.update({ where, data: { ...reading, updatedAt: person.now } }));
  }
  if (name !== undefined) await rename(person, name);
  return readProfile(person);
}

/** Changes the person's name and records it in all workspaces that show it. */
async function rename(person: SignedIn, name: string): Promise<void> {
  const { id, name: before } = person.user;
  if (name !== before) {
    const changes = { name: { from: before, to: name } };
    await changeAccount(
      { ...person.user, name },
      person,
      ({ memberId }) => ({ action: "MEMBER_UPDATED", target: { type: "member", id: memberId }, changes }),
      (tx) => tx.user.update({ where: { id }, data: { name, updatedAt: person.now } }),
      await membershipsEver(id),
    );
  }
}
