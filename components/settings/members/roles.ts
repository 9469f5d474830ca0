/**
 * The operations' rules for changing and removing members, so that menus can explain what is not possible.
 */

import { type Role, roles } from "#lib/core/scopes.ts";
import type { Member } from "#lib/people/members/schema.ts";

export const roleHints: Record<Role, string> = {
  owner: "Everything, including managing owners",
  admin: "Everything except managing owners",
  member: "Works on contracts, obligations and signatures",
  viewer: "Reads contracts and what belongs to them",
};

export { roles };

interface Standing {
  /** The role of the person who uses the menu. */
  role: Role;
  owners: number;
}

/** Returns why this member cannot get that role, or null if they can. */
export function whyNotRole(member: Member, to: Role, { role, owners }: Standing): string | null {
  if (role !== "owner" && (member.role === "owner" || to === "owner"))
    return `Only an owner can change owners. You are ${role}.`;
  if (member.role === "owner" && to !== "owner" && owners === 1)
    return "This is the last owner. Make someone else an owner first.";
  return null;
}

/** Returns why this member cannot be removed, or null if they can. */
export function whyNotRemove(member: Member, { role, owners }: Standing): string | null {
  if (member.role !== "owner") return null;
  if (role !== "owner") return `Only an owner can remove owners. You are ${role}.`;
  return owners === 1 ? "This is the last owner. Make someone else an owner first." : null;
}
