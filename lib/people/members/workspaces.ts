/** Creates and renames workspaces, and changes them for the operator. */

import { change } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/scopes.ts";
import { type Account, anyAccount, openAccount, type Person, saveAccount } from "#lib/people/users/users.ts";
import { settleInvitation } from "./invitations.ts";
import { join } from "./members.ts";
import { keepWithinSeats, lockSeats, type Plan } from "./seats.ts";

export type NewWorkspace = {
  name: string;
  ownerEmail: string;
  ownerName: string;
  ownerPassword: string;
  now?: Date;
};

/** A new account, or an existing one. */
type Owner = Account | { id: string; isNew: false };

type NewlyOwned = { name: string; owner: Owner; isVerified?: boolean; at?: Date };

/** Creates a workspace with its first owner. Someone who already has an account provides its password. */
export async function createWorkspace(
  input: NewWorkspace,
): Promise<{ organizationId: string; userId: string }> {
  const { name, ownerEmail, ownerName, ownerPassword, now = clock() } = input;
  const owner = await openAccount({ email: ownerEmail, name: ownerName, password: ownerPassword });
  return insertWorkspace({ name, owner, at: now }, (id) => systemContext(id, "operator", now));
}

/** Creates a workspace and its first owner; an existing account stays as it is. */
export async function insertWorkspace(
  { name, owner, isVerified = true, at = clock() }: NewlyOwned,
  contextIn: (organizationId: string) => Context,
): Promise<{ organizationId: string; userId: string }> {
  const id = newId("organization", at);
  const ctx = contextIn(id);
  const { now } = ctx;
  await change(ctx, async (tx, record) => {
    await tx.organization.create({ data: { id, name, createdAt: now, updatedAt: now } });
    if ("email" in owner) await saveAccount(tx, owner, now, { isVerified });
    await join(tx, ctx, owner.id, "owner");
    record({
      action: "WORKSPACE_CREATED",
      target: { type: "workspace", id },
      changes: { name: { from: null, to: name }, ownerId: { from: null, to: owner.id } },
    });
  });
  return { organizationId: id, userId: owner.id };
}

/** Sets a workspace's seats and whether its subscription is active. Fewer seats remove nobody. */
export async function setPlan(
  ctx: Context,
  next: { seats?: number | undefined; status?: Plan["status"] | undefined },
): Promise<Plan> {
  return change(ctx, async (tx, record) => {
    const before = await lockSeats(ctx);
    const { seats = before.seats, status = before.status } = next;
    const changes = {
      ...(seats === before.seats ? {} : { seats: { from: before.seats, to: seats } }),
      ...(status === before.status ? {} : { status: { from: before.status, to: status } }),
    };
    if (Object.keys(changes).length === 0) return before;
    const id = ctx.organizationId;
    await tx.organization.update({
      where: { id },
      data: { seats, subscriptionStatus: status, updatedAt: ctx.now },
    });
    record({ action: "SUBSCRIPTION_CHANGED", target: { type: "workspace", id }, changes });
    return { ...before, seats, status };
  });
}

/**
 * Makes a person a member without an invitation. An existing account keeps its name and password, unless its address
 * has not been verified yet.
 */
export async function addMember(
  ctx: Context,
  { role, ...person }: Person & { role: Role },
): Promise<{ memberId: string; userId: string }> {
  const account = await anyAccount(person);
  return change(ctx, async (tx, record) => {
    const plan = await lockSeats(ctx);
    await saveAccount(tx, account, ctx.now);
    const memberId = await join(tx, ctx, account.id, role);
    await settleInvitation(tx, ctx, account.email);
    await keepWithinSeats(tx, ctx, plan);
    record({
      action: "MEMBER_ADDED",
      target: { type: "member", id: memberId },
      changes: { role: { from: null, to: role } },
      reason: "added by the operator",
    });
    return { memberId, userId: account.id };
  });
}
