/** Members: who belongs to a workspace, and in which role. */
import { change, reader } from "#lib/core/change.ts";
import { type Context, type OrganizationId, own } from "#lib/core/context.ts";
import type { Reader, Transaction } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/scopes.ts";
import { expectUnchanged } from "#lib/core/serialize.ts";
import { sortedByName } from "#lib/core/wire.ts";
import { notifyOwnersOfKey } from "./owners-mail.ts";
import { type Member, MemberAnswer, type MemberPatch } from "./schema.ts";
import { lockSeats } from "./seats.ts";

const withUser = { user: { select: { name: true, email: true } } } as const;

type Row = { id: string; userId: string; role: string; user: { name: string; email: string } };

function memberFrom({ id, userId, role, user }: Row): Member {
  return { memberId: id, userId, role: role as Role, ...user };
}

/** All active members. */
export async function listMembers(ctx: Context): Promise<{ data: Member[] }> {
  const rows = await reader().member.findMany({
    where: { ...own(ctx), removedAt: null },
    include: withUser,
  });
  return { data: sortedByName(rows.map(memberFrom).map((member) => ({ ...member, id: member.memberId }))) };
}

/** The role of a member, for checks before a change; null if there is no such member. */
export async function roleOf(organizationId: OrganizationId, memberId: string): Promise<Role | null> {
  const where = { organizationId, id: memberId, removedAt: null };
  const row = await reader().member.findFirst({ where, select: { role: true } });
  return (row?.role as Role | undefined) ?? null;
}

/** Changes a member's role. */
export async function setRole(ctx: Context, { memberId, role }: MemberPatch): Promise<Member> {
  return change(ctx, async (tx, record) => {
    await lockSeats(ctx);
    const before = await findMember(tx, ctx, memberId);
    await expectUnchanged(ctx, MemberAnswer, () => ({ member: before }));
    requireAuthority(ctx, before.role, role);
    if (before.role === role) return before;
    if (before.role === "owner") await requireAnotherOwner(tx, ctx);
    await tx.member.update({
      where: { organizationId_id: { ...own(ctx), id: memberId } },
      data: { role, updatedAt: ctx.now },
    });
    const member = { ...before, role };
    await notifyOwnersOfKey(tx, ctx, { act: "promoted", person: `${member.name} (${member.email})`, role });
    record({
      action: "MEMBER_ROLE_CHANGED",
      target: { type: "member", id: memberId },
      changes: { role: { from: before.role, to: role } },
      resource: { member },
    });
    return member;
  });
}

/** Returns the member if the caller may remove them; throws otherwise. */
export async function removableMember(ctx: Context, memberId: string): Promise<Member> {
  const member = await findMember(reader(), ctx, memberId);
  requireAuthority(ctx, member.role);
  if (member.role === "owner") await requireAnotherOwner(reader(), ctx);
  return member;
}

/** Ends a membership. What the person owned and did stays. */
export async function removeMember(ctx: Context, memberId: string): Promise<void> {
  await change(ctx, async (tx, record) => {
    await lockSeats(ctx);
    const member = await removableMember(ctx, memberId);
    await tx.member.update({
      where: { organizationId_id: { ...own(ctx), id: memberId } },
      data: { removedAt: ctx.now, updatedAt: ctx.now },
    });
    // For good: someone who returns has to connect their assistants again.
    await tx.assistantGrant.updateMany({
      where: { ...own(ctx), userId: member.userId, revokedAt: null },
      data: { revokedAt: ctx.now },
    });
    record({
      action: "MEMBER_REMOVED",
      target: { type: "member", id: memberId },
      changes: { role: { from: member.role, to: null } },
    });
  });
}

/** Makes a user a member, also again. Returns the membership's id. */
export async function join(tx: Transaction, ctx: Context, userId: string, role: Role): Promise<string> {
  const where = { organizationId_userId: { ...own(ctx), userId } };
  const former = await tx.member.findUnique({ where });
  if (former && !former.removedAt) throw alreadyMember();
  const data = { role, removedAt: null, updatedAt: ctx.now };
  if (former) {
    await tx.member.update({ where, data });
    return former.id;
  }
  const id = newId("member");
  await tx.member.create({ data: { ...own(ctx), ...data, id, userId, createdAt: ctx.now } });
  return id;
}

export function alreadyMember(): Refusal {
  return new Refusal("already_member", "This person is already a member.");
}

/**
 * Throws unless the caller may grant or revoke these roles. Only an owner can change owners, and a key is never one.
 */
export function requireAuthority({ actor }: Context, ...touched: Role[]): void {
  const role = actor.kind === "user" ? actor.role : actor.kind === "system" ? "owner" : "admin";
  if (role === "owner") return;
  if (role !== "admin") throw new Refusal("forbidden", "Only owners and admins can manage members.");
  if (!touched.includes("owner")) return;
  const who = actor.kind === "api_key" ? "An API key cannot add or change one." : `You are ${role}.`;
  throw new Refusal("forbidden", `Only an owner can change owners. ${who}`);
}

async function findMember(tx: Pick<Reader, "member">, ctx: Context, id: string): Promise<Member> {
  const where = { ...own(ctx), id, removedAt: null };
  const row = await tx.member.findFirst({ where, include: withUser });
  if (!row) throw notFound("member");
  return memberFrom(row);
}

async function requireAnotherOwner(tx: Pick<Reader, "member">, ctx: Context): Promise<void> {
  const owners = await tx.member.count({ where: { ...own(ctx), role: "owner", removedAt: null } });
  if (owners > 1) return;
  throw new Refusal("last_owner", "This is the last owner. Make someone else an owner first.");
}
