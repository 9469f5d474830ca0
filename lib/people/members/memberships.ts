/** Memberships: the workspaces of one person. */
import { select } from "#lib/core/change.ts";
import type { Role } from "#lib/core/scopes.ts";

export interface Membership {
  organizationId: string;
  memberId: string;
  name: string;
  role: Role;
  isCurrent: boolean;
}

/** A membership, or one that has ended. */
export interface PastMembership extends Omit<Membership, "isCurrent"> {
  hasLeft: boolean;
}

const memberships = `SELECT m.organization_id AS "organizationId", m.id AS "memberId", o.name, m.role,
  m.removed_at IS NOT NULL AS "hasLeft"
  FROM members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1`;

/** The workspaces that a person is a member of, by name. */
export async function listMemberships(person: {
  user: { id: string };
  organizationId: string | null;
}): Promise<{ data: Membership[] }> {
  const rows = await select<PastMembership>(
    `${memberships} AND m.removed_at IS NULL ORDER BY lower(o.name), o.id`,
    [person.user.id],
  );
  const isCurrent = (id: string) => id === person.organizationId;
  return {
    data: rows.map(({ hasLeft: _, ...row }) => ({ ...row, isCurrent: isCurrent(row.organizationId) })),
  };
}

/** Includes workspaces that the person has left: their contracts still show the person's name. */
export async function membershipsEver(userId: string): Promise<PastMembership[]> {
  return select(memberships, [userId]);
}
