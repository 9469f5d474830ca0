/** Disables an endpoint because its receiver answered 410 Gone, or because of failures, which are mailed to people. */
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { queueMail } from "#lib/mail/queue.ts";
import { listMembers } from "#lib/people/members/members.ts";
import { endPending } from "./deliveries.ts";

/** Disables an endpoint whose receiver has answered 410 Gone. */
export async function disableUnwanted(ctx: Context, id: string): Promise<void> {
  await change(ctx, async (tx, record) => {
    const reason = "It answered 410 Gone.";
    if (!(await disable(tx, ctx, id, "DISABLED", reason))) return;
    record({ ...disabled(id, "DISABLED"), reason });
  });
}

/** Disables an endpoint that has failed for days, and tells owners and admins by e-mail. */
export async function disableFailing(ctx: Context, id: string, days: number): Promise<void> {
  await change(ctx, async (tx, record) => {
    const reason = `No delivery has succeeded for ${days} days.`;
    if (!(await disable(tx, ctx, id, "DISABLED_BY_FAILURE", reason))) return;
    record({ ...disabled(id, "DISABLED_BY_FAILURE"), reason });
    const { name } = await tx.organization.findUniqueOrThrow({ where: { id: ctx.organizationId } });
    const { url } = await tx.webhookEndpoint.findUniqueOrThrow({
      where: { organizationId_id: { ...own(ctx), id } },
    });
    const settingsUrl = `${settings().BASE_URL}/settings/webhooks`;
    const data = { workspaceName: name, endpointUrl: url, reason, settingsUrl };
    for (const { role, email, name } of (await listMembers(ctx)).data) {
      if (role !== "owner" && role !== "admin") continue;
      await queueMail(tx, ctx, { template: "webhook-disabled", to: { address: email, name }, data });
    }
  });
}

type Disabled = "DISABLED" | "DISABLED_BY_FAILURE";

/** Returns false if the endpoint is already disabled or deleted. */
async function disable(tx: Transaction, ctx: Context, id: string, status: Disabled, reason: string) {
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { ...own(ctx), id, status: "ENABLED", deletedAt: null },
    data: { status, disabledReason: reason, updatedAt: ctx.now },
  });
  if (count > 0) await endPending(tx, ctx, id, `The endpoint was disabled: ${reason}`);
  return count > 0;
}

const disabled = (id: string, status: Disabled) => ({
  action: "WEBHOOK_ENDPOINT_DISABLED" as const,
  target: { type: "webhook_endpoint", id },
  changes: { status: { from: "ENABLED", to: status } },
});
