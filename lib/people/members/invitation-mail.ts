/** Mails invitations to their address, with the only copy of the link. */
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { queueMail } from "#lib/mail/queue.ts";
import { createInvitation, renewInvitation } from "./invitations.ts";
import type { Invitation, NewInvitation } from "./schema.ts";

/** Invites an address and mails the invitation. */
export async function inviteByMail(ctx: Context, input: NewInvitation): Promise<{ invitation: Invitation }> {
  return change(ctx, async (tx) => mail(tx, ctx, await createInvitation(ctx, input)));
}

/** Mails an invitation again, with a new link. */
export async function sendInvitationAgain(
  ctx: Context,
  { id }: { id: string },
): Promise<{ invitation: Invitation }> {
  return change(ctx, async (tx) => mail(tx, ctx, await renewInvitation(ctx, id)));
}

async function mail(
  tx: Transaction,
  ctx: Context,
  { invitation, token }: { invitation: Invitation; token: string },
): Promise<{ invitation: Invitation }> {
  const { name } = await tx.organization.findUniqueOrThrow({ where: { id: ctx.organizationId } });
  await queueMail(tx, ctx, {
    template: "invitation",
    to: { address: invitation.email },
    data: {
      workspaceName: name,
      inviterName: ctx.actor.kind === "user" ? ctx.actor.name : null,
      inviterEmail: ctx.actor.kind === "user" ? ctx.actor.email : null,
      role: invitation.role,
      expiresOn: dayOf(new Date(invitation.expiresAt)),
      url: `${settings().BASE_URL}/invite/${token}`,
    },
  });
  return { invitation };
}
