/** The workspace that a person looks at: chosen for one session, or made. */
import type { SignedIn } from "#lib/context.ts";
import { database } from "#lib/db.ts";
import { settings } from "#lib/env.ts";
import { notFound, Refusal } from "#lib/errors.ts";
import { listMemberships, type Membership } from "#lib/members/memberships.ts";
import { makeWorkspace } from "#lib/members/workspaces.ts";
import { memberContext } from "./sessions.ts";

export async function listWorkspaces(person: SignedIn): Promise<{ data: Membership[] }> {
  return listMemberships(person);
}

/** From now on this session is about another of the person's workspaces. */
export async function chooseWorkspace(
  person: SignedIn,
  { organizationId }: { organizationId: string },
): Promise<{ organizationId: string }> {
  const { data } = await listMemberships(person);
  if (!data.some((membership) => membership.organizationId === organizationId)) throw notFound("workspace");
  await database().prisma.session.update({ where: { id: person.session.id }, data: { organizationId } });
  return { organizationId };
}

/** Makes a workspace, with the person as its owner, and goes there. */
export async function createOwnWorkspace(
  person: SignedIn,
  { name }: { name: string },
): Promise<{ organizationId: string }> {
  if (settings().SIGN_UP === "closed") {
    throw new Refusal("forbidden", "Only the operator makes workspaces here.");
  }
  const { organizationId } = await makeWorkspace(
    { name, owner: { id: person.user.id, isNew: false } },
    (id) => memberContext(person.user, id, "owner", person),
  );
  return chooseWorkspace(person, { organizationId });
}
