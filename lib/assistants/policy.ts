/** What a workspace lets its members' assistants do. */
import { change, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Scope } from "#lib/core/scopes.ts";
import { type AssistantPolicy, defaultPolicy } from "./lifecycle.ts";

export async function readPolicy(ctx: Context): Promise<AssistantPolicy> {
  const row = await reader().assistantPolicy.findUnique({ where: own(ctx), select: { policy: true } });
  return (row?.policy as AssistantPolicy | undefined) ?? defaultPolicy;
}

/**
 * Sets the policy, which applies from the next call of every assistant. Grants are kept for when more is allowed again.
 */
export async function setPolicy(
  ctx: Context,
  { policy }: { policy: AssistantPolicy },
): Promise<{ policy: AssistantPolicy }> {
  return change(ctx, async (tx, record) => {
    const before = await readPolicy(ctx);
    if (before === policy) return { policy };
    const data = { policy, updatedAt: ctx.now };
    await tx.assistantPolicy.upsert({ where: own(ctx), create: { ...own(ctx), ...data }, update: data });
    record({
      action: "ASSISTANT_POLICY_CHANGED",
      target: { type: "workspace", id: ctx.organizationId },
      changes: { policy: { from: before, to: policy } },
    });
    return { policy };
  });
}

/** Whether the policy allows a scope to assistants. */
export function isAllowed(policy: AssistantPolicy, scope: Scope): boolean {
  return policy === "as_granted" || (policy === "read_only" && scope.endsWith(":read"));
}
