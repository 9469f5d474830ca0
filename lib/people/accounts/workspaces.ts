/** Lists, chooses, joins and creates a person's workspaces. */
import type { SignedIn } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { joinAsInvited, pendingInvitations } from "#lib/people/members/invitations.ts";
import { listMemberships, type Membership } from "#lib/people/members/memberships.ts";
import { insertWorkspace } from "#lib/people/members/workspaces.ts";
import { memberContext } from "#lib/people/users/sessions.ts";
import { findUser } from "#lib/people/users/users.ts";
import type { OwnInvitation } from "./schema.ts";

export async function listWorkspaces(person: SignedIn): Promise<{ data: Membership[] }> {
  return listMemberships(person);
}

/** Switches this session to another of the person's workspaces. */
export async function chooseWorkspace(
  person: SignedIn,
  { organizationId }: { organizationId: string },
): Promise<{ organizationId: string }> {
  const { data } = await listMemberships(person);
  if (!data.some((membership) => membership.organizationId === organizationId)) throw notFound("workspace");
  await housekeeping((store) =>
    store.session.update({ where: { id: person.session.id }, data: { organizationId } }),
  );
  return { organizationId };
}

/** Returns a person's pending invitations. None if they have not proved that the address is theirs. */
export async function listOwnInvitations({ user, now }: SignedIn): Promise<{ data: OwnInvitation[] }> {
  const account = await findUser(user.email);
  if (!account?.emailVerifiedAt) return { data: [] };
  return { data: await pendingInvitations(account.email, now) };
}

/** Accepts a person's own invitation and switches to its workspace. */
export async function joinByInvitation(
  person: SignedIn,
  { id }: { id: string },
): Promise<{ organizationId: string }> {
  const account = await findUser(person.user.email);
  const found = account?.emailVerifiedAt
    ? (await pendingInvitations(account.email, person.now)).find((invitation) => invitation.id === id)
    : undefined;
  if (!account || !found) throw new Refusal("not_found", "This invitation is no longer pending.");
  await joinAsInvited(found, { ...account, isNew: false }, person);
  return chooseWorkspace(person, found);
}

/** Creates a workspace that the person owns, and switches to it. */
export async function createOwnWorkspace(
  person: SignedIn,
  { name }: { name: string },
): Promise<{ organizationId: string }> {
  if (settings().SIGN_UP === "closed") {
    throw new Refusal("forbidden", "Only the operator can create workspaces here.");
  }
  const { organizationId } = await insertWorkspace(
    { name, owner: { id: person.user.id, isNew: false } },
    (id) => memberContext(person.user, id, "owner", person),
  );
  return chooseWorkspace(person, { organizationId });
}
