/** Invitations: reserve a seat for an e-mail address for a week, accepted with the link mailed to it. */

import { hash, randomBytes } from "node:crypto";
import { change, reader, select } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, own, type Visit } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/scopes.ts";
import { memberContext } from "#lib/people/users/sessions.ts";
import { type Account, openAccount, saveAccount } from "#lib/people/users/users.ts";
import { alreadyMember, join, requireAuthority } from "./members.ts";
import { notifyOwnersOfKey } from "./owners-mail.ts";
import type { Invitation, InvitationStatus, NewInvitation } from "./schema.ts";
import { keepWithinSeats, lockSeats } from "./seats.ts";

const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

type Row = {
  id: string;
  email: string;
  role: string;
  acceptedAt: Date | null;
  revokedAt: Date | null;
  expiresAt: Date;
  createdAt: Date;
};

function statusOf({ acceptedAt, revokedAt, expiresAt }: Row, now: Date): InvitationStatus {
  if (acceptedAt) return "accepted";
  if (revokedAt) return "revoked";
  return expiresAt <= now ? "expired" : "pending";
}

function invitationFrom(row: Row, now: Date): Invitation {
  const { id, email, expiresAt, createdAt } = row;
  return {
    ...{ id, email, role: row.role as Role, status: statusOf(row, now) },
    ...{ expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() },
  };
}

/** All invitations, whatever their state, newest first. */
export async function listInvitations(ctx: Context): Promise<{ data: Invitation[] }> {
  const rows = await reader().invitation.findMany({
    where: own(ctx),
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return { data: rows.map((row) => invitationFrom(row, ctx.now)) };
}

/** The stored hash of a token. A fast hash is enough: 256 bits cannot be brute-forced. */
function tokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", token, "buffer"));
}

/** Invites an address. The token is only for the mail: it is not stored, and no response contains it. */
export async function createInvitation(
  ctx: Context,
  { email, role }: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  const token = randomBytes(32).toString("base64url");
  const row = {
    ...{ id: newId("invitation"), email, role, createdAt: ctx.now, acceptedAt: null, revokedAt: null },
    expiresAt: new Date(ctx.now.getTime() + lifetimeMs),
  };
  const invitation = invitationFrom(row, ctx.now);
  await change(ctx, async (tx, record) => {
    requireAuthority(ctx, role);
    const plan = await lockSeats(ctx);
    await refuseKnown(ctx, email);
    await tx.invitation.create({ data: { ...own(ctx), ...row, tokenHash: tokenHash(token) } });
    await keepWithinSeats(tx, ctx, plan);
    await notifyOwnersOfKey(tx, ctx, { act: "invited", person: email, role });
    record({
      action: "MEMBER_INVITED",
      target: { type: "invitation", id: row.id },
      changes: { email: { from: null, to: email }, role: { from: null, to: role } },
      resource: { invitation },
    });
  });
  return { invitation, token };
}

async function refuseKnown(ctx: Context, email: string): Promise<void> {
  const [found] = await select<{ member: boolean; invited: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.organization_id = $1 AND m.removed_at IS NULL AND lower(u.email) = lower($2)) AS member,
       EXISTS (SELECT 1 FROM invitations
         WHERE organization_id = $1 AND lower(email) = lower($2) AND accepted_at IS NULL
           AND revoked_at IS NULL AND expires_at > $3::timestamptz) AS invited`,
    [ctx.organizationId, email, ctx.now.toISOString()],
  );
  if (found?.member) throw alreadyMember();
  if (found?.invited) {
    throw new Refusal("already_invited", "This address has a pending invitation. Revoke it to send another.");
  }
}

/** Revokes an invitation. Does nothing if it is revoked or expired already. */
export async function revokeInvitation(ctx: Context, { id }: { id: string }): Promise<void> {
  await change(ctx, async (tx, record) => {
    await lockSeats(ctx);
    const where = { organizationId_id: { ...own(ctx), id } };
    const row = await tx.invitation.findUnique({ where });
    if (!row) throw notFound("invitation");
    requireAuthority(ctx);
    const status = statusOf(row, ctx.now);
    if (status === "accepted") {
      throw new Refusal("conflict", "This invitation has been accepted. Remove the member instead.");
    }
    if (status !== "pending") return;
    await tx.invitation.update({ where, data: { revokedAt: ctx.now } });
    record({
      action: "INVITATION_REVOKED",
      target: { type: "invitation", id },
      changes: { email: { from: row.email, to: null } },
    });
  });
}

/** Marks an address's invitation as accepted once its owner has joined: the reserved seat is now theirs. */
export async function settleInvitation(tx: Transaction, ctx: Context, email: string): Promise<void> {
  await tx.$executeRaw`UPDATE invitations SET accepted_at = ${ctx.now}
    WHERE organization_id = ${ctx.organizationId} AND lower(email) = lower(${email})
      AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ${ctx.now}`;
}

/** An invitation as shown to whoever has its link. */
export interface FoundInvitation {
  organizationId: string;
  id: string;
  workspaceName: string;
  email: string;
  role: Role;
  status: InvitationStatus;
}

/** Finds an invitation by its link's token. */
export async function findInvitation(token: string, now: Date): Promise<FoundInvitation> {
  const row = await reader().invitation.findFirst({
    where: { tokenHash: tokenHash(token) },
    include: withWorkspace,
  });
  if (!row) throw new Refusal("not_found", "This invitation does not exist. Perhaps a newer one was sent.");
  return foundFrom(row, now);
}

const withWorkspace = { organization: { select: { name: true } } } as const;

type RowWithWorkspace = Row & { organizationId: string; organization: { name: string } };

function foundFrom(row: RowWithWorkspace, now: Date): FoundInvitation {
  const { organizationId, id, email, organization } = row;
  const [role, status] = [row.role as Role, statusOf(row, now)];
  return { organizationId, id, workspaceName: organization.name, email, role, status };
}

/** The pending invitations of an address, in all workspaces. */
export async function pendingInvitations(email: string, now: Date): Promise<FoundInvitation[]> {
  // Prisma's insensitive mode would treat the _ of an address as a wildcard.
  return select<FoundInvitation>(
    `SELECT i.organization_id AS "organizationId", i.id, o.name AS "workspaceName", i.email, i.role,
       'pending' AS status
     FROM invitations i JOIN organizations o ON o.id = i.organization_id
     WHERE lower(i.email) = lower($1) AND i.accepted_at IS NULL AND i.revoked_at IS NULL
       AND i.expires_at > $2::timestamptz ORDER BY i.created_at, i.id`,
    [email, now.toISOString()],
  );
}

/** Renews a pending or expired invitation for a week, with a new link; the previous one stops working. */
export async function renewInvitation(
  ctx: Context,
  id: string,
): Promise<{ invitation: Invitation; token: string }> {
  const token = randomBytes(32).toString("base64url");
  return change(ctx, async (tx, record) => {
    const plan = await lockSeats(ctx);
    const where = { organizationId_id: { ...own(ctx), id } };
    const before = await tx.invitation.findUnique({ where });
    if (!before) throw notFound("invitation");
    requireAuthority(ctx, before.role as Role);
    const status = statusOf(before, ctx.now);
    if (status === "accepted" || status === "revoked") {
      throw new Refusal("conflict", `This invitation is ${status}. Send a new invitation.`);
    }
    // Since it expired, the address may have received another invitation, or may belong to a member.
    if (status === "expired") await refuseKnown(ctx, before.email);
    const expiresAt = new Date(ctx.now.getTime() + lifetimeMs);
    const row = await tx.invitation.update({ where, data: { expiresAt, tokenHash: tokenHash(token) } });
    await keepWithinSeats(tx, ctx, plan);
    const invitation = invitationFrom(row, ctx.now);
    record({
      action: "MEMBER_INVITED",
      target: { type: "invitation", id },
      changes: { expiresAt: { from: before.expiresAt, to: expiresAt } },
      reason: "sent again",
      resource: { invitation },
    });
    return { invitation, token };
  });
}

export type Acceptance = { organizationId: string; memberId: string; userId: string };

/** Accepts an invitation: creates the account, or verifies the existing one with this address, and the membership. */
export async function acceptInvitation(
  token: string,
  person: { name: string; password: string },
  visit: Partial<Visit> = {},
): Promise<Acceptance> {
  const from = { requestId: null, ip: null, userAgent: null, now: clock(), ...visit };
  const found = await findInvitation(token, from.now);
  return joinAsInvited(found, await openAccount({ ...person, email: found.email }), from);
}

/** Creates the membership for an account verified to be the invited person's. */
export async function joinAsInvited(
  found: FoundInvitation,
  account: Account,
  visit: Visit,
): Promise<Acceptance> {
  const { organizationId, id, role } = found;
  const { id: userId, name, email } = account;
  const ctx = memberContext({ id: userId, name, email }, organizationId, role, visit);
  return change(ctx, async (tx, record) => {
    const plan = await lockSeats(ctx);
    const row = await tx.invitation.findUniqueOrThrow({ where: { organizationId_id: { ...own(ctx), id } } });
    const status = statusOf(row, ctx.now);
    if (status !== "pending") throw new Refusal("conflict", `This invitation is ${status}.`);
    await saveAccount(tx, account, ctx.now);
    const memberId = await join(tx, ctx, userId, role);
    await settleInvitation(tx, ctx, email);
    await keepWithinSeats(tx, ctx, plan);
    const changes = { role: { from: null, to: role } };
    record({ action: "INVITATION_ACCEPTED", target: { type: "member", id: memberId }, changes });
    return { organizationId, memberId, userId };
  });
}
