/** Owners hear at once of power that no person gave: a key that leaks could otherwise make its thief an admin. */
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import type { Role } from "#lib/core/scopes.ts";
import { queueMail } from "#lib/mail/queue.ts";

/** Tells every owner when an API key invites or promotes an admin; what people do, people answer for. */
export async function notifyOwnersOfKey(
  tx: Transaction,
  ctx: Context,
  { act, person, role }: { act: "invited" | "promoted"; person: string; role: Role },
): Promise<void> {
  if (ctx.actor.kind !== "api_key" || role !== "admin") return;
  const { name: workspaceName } = await tx.organization.findUniqueOrThrow({
    where: { id: ctx.organizationId },
  });
  const owners = await tx.member.findMany({
    where: { ...own(ctx), role: "owner", removedAt: null },
    select: { user: { select: { name: true, email: true } } },
    orderBy: { id: "asc" },
  });
  const url = `${settings().BASE_URL}/settings/members`;
  for (const { user } of owners) {
    const data = { workspaceName, keyName: ctx.actor.name, act, person, url };
    const to = { address: user.email, name: user.name };
    await queueMail(tx, ctx, { template: "admin-by-key", to, data });
  }
}
