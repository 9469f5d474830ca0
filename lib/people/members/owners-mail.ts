/** E-mails to the owners of a workspace. */
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import type { Role } from "#lib/core/scopes.ts";
import type { Mail } from "#lib/mail/deliver.ts";
import { queueMail } from "#lib/mail/queue.ts";

type UnaddressedMail = Mail extends infer M ? (M extends Mail ? Omit<M, "to"> : never) : never;

/** Queues an e-mail to each owner; `mailFor` gets the workspace's name. */
export async function mailOwners(
  tx: Transaction,
  ctx: Context,
  mailFor: (workspaceName: string) => UnaddressedMail,
): Promise<void> {
  const { name } = await tx.organization.findUniqueOrThrow({
    where: { id: ctx.organizationId },
    select: { name: true },
  });
  const owners = await tx.member.findMany({
    where: { ...own(ctx), role: "owner", removedAt: null },
    select: { user: { select: { name: true, email: true } } },
    orderBy: { id: "asc" },
  });
  for (const { user } of owners) {
    await queueMail(tx, ctx, { ...mailFor(name), to: { address: user.email, name: user.name } } as Mail);
  }
}

/**
 * Notifies every owner immediately when an API key invites or promotes an admin: otherwise a leaked key could make
 * its thief one. Changes by people are attributed to those people.
 */
export async function notifyOwnersOfKey(
  tx: Transaction,
  ctx: Context,
  { act, person, role }: { act: "invited" | "promoted"; person: string; role: Role },
): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "api_key" || role !== "admin") return;
  const url = `${settings().BASE_URL}/settings/members`;
  await mailOwners(tx, ctx, (workspaceName) => ({
    template: "admin-by-key",
    data: { workspaceName, keyName: actor.name, act, person, url },
  }));
}
