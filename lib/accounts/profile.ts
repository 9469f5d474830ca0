/** A person's own things: their name, and how they prove that it is them. */
import type { SignedIn } from "#lib/context.ts";
import { database } from "#lib/db.ts";
import { changeAccount } from "./everywhere.ts";
import type { Profile } from "./schema.ts";

export async function readProfile({ user, session }: SignedIn): Promise<{ profile: Profile }> {
  const row = await database().prisma.user.findUniqueOrThrow({ where: { id: user.id } });
  const { id, name, email, passwordHash } = row;
  const passwordConfirmedAt = session.passwordConfirmedAt?.toISOString() ?? null;
  return { profile: { id, name, email, hasPassword: passwordHash !== null, passwordConfirmedAt } };
}

/** Gives oneself another name. */
export async function patchProfile(
  person: SignedIn,
  { name }: { name: string },
): Promise<{ profile: Profile }> {
  const { id, name: before } = person.user;
  if (name !== before) {
    const changes = { name: { from: before, to: name } };
    await changeAccount(
      { ...person.user, name },
      person,
      ({ memberId }) => ({ action: "MEMBER_UPDATED", target: { type: "member", id: memberId }, changes }),
      (tx) => tx.user.update({ where: { id }, data: { name, updatedAt: person.now } }),
    );
  }
  return readProfile(person);
}
