/** Seats: how many people a workspace may have, members and invited people together. */
import { select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";

export type Plan = { organizationId: string; seats: number; status: "active" | "inactive" };

/** Reads a workspace's plan. */
export async function findPlan(ctx: Context): Promise<Plan> {
  return readPlan(ctx, "");
}

/**
 * Reads the plan and locks it until the commit: every change of plan, members or invitations takes this lock. NO KEY:
 * rows that reference the workspace can still be inserted.
 */
export async function lockSeats(ctx: Context): Promise<Plan> {
  return readPlan(ctx, "FOR NO KEY UPDATE");
}

async function readPlan(ctx: Context, lock: string): Promise<Plan> {
  const [plan] = await select<Plan>(
    `SELECT id AS "organizationId", seats, subscription_status AS status
     FROM organizations WHERE id = $1 ${lock}`,
    [ctx.organizationId],
  );
  if (!plan) throw new Refusal("not_found", `There is no workspace ${ctx.organizationId}.`);
  return plan;
}

/** Throws if there are more people than seats. Call it under lockSeats, after someone was added. */
export async function keepWithinSeats(tx: Transaction, ctx: Context, { seats }: Plan): Promise<void> {
  const members = await tx.member.count({ where: { ...own(ctx), removedAt: null } });
  const invited = await tx.invitation.count({
    where: { ...own(ctx), acceptedAt: null, revokedAt: null, expiresAt: { gt: ctx.now } },
  });
  if (members + invited <= seats) return;
  throw new Refusal(
    "seat_limit_reached",
    `No seat is free: the plan has ${seats}, and pending invitations count. Remove a member, revoke an invitation, or ask the operator to add seats.`,
  );
}
