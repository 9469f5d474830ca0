/** The assistants that are connected to a workspace, as its members see them. */
import { reader } from "#lib/core/change.ts";
import { type Context, hasScope, own } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { notFound } from "#lib/core/errors.ts";
import type { AssistantScope } from "#lib/core/scopes.ts";
import { revokeGrant } from "./grants.ts";
import { readPolicy } from "./policy.ts";
import type { ConnectedAssistantList } from "./schema.ts";
import { assistantResource } from "./tokens.ts";

/** Owners and admins see all assistants of the workspace; other members see their own. */
const seesAll = (ctx: Context) => hasScope(ctx, "workspace:write");

export async function listAssistants(ctx: Context): Promise<ConnectedAssistantList> {
  const whose = seesAll(ctx) ? {} : { userId: ctx.actor.id };
  const [rows, policy] = await Promise.all([
    reader().assistantGrant.findMany({
      where: { ...own(ctx), ...whose, revokedAt: null, expiresAt: { gt: ctx.now } },
      include: { member: { select: { user: { select: { id: true, name: true } } } } },
      orderBy: { id: "desc" },
    }),
    readPolicy(ctx),
  ]);
  const data = rows.map((row) => ({
    id: row.id,
    name: row.clientName,
    host: row.clientHost,
    isVerified: row.isVerified,
    scopes: row.scopes as AssistantScope[],
    member: row.member.user,
    isOwn: row.userId === ctx.actor.id,
    connectedAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }));
  return { data, policy, address: settings().ASSISTANT === "on" ? assistantResource() : null };
}

/** Revokes an assistant's grant. Does nothing if it is already revoked. */
export async function revokeAssistant(ctx: Context, id: string): Promise<void> {
  const whose = seesAll(ctx) ? {} : { userId: ctx.actor.id };
  if (await revokeGrant(ctx, { id, ...whose })) return;
  if (!(await reader().assistantGrant.findFirst({ where: { ...own(ctx), ...whose, id } }))) {
    throw notFound("assistant");
  }
}
