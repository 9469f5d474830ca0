/** Grants: a member lets a program act for them in a workspace, until the grant ends. */
import { change } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { asOrganization, type Context, own, systemContext } from "#lib/core/context.ts";
import { db, type Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { AssistantScope } from "#lib/core/scopes.ts";
import type { AssistantProgram } from "./schema.ts";

/** The lifetime of a grant until its program fetches the first tokens, which extend it. */
const untilFetchedMs = 5 * 60 * 1000;

/** More than anyone needs: each of a person's computers may have its own grant. */
const maxGrantsPerMember = 50;

export interface NewGrant {
  userId: string;
  clientId: string;
  program: AssistantProgram;
  scopes: AssistantScope[];
}

/** Connects a program for a member. `settle` runs in the same transaction. */
export async function createGrant(
  ctx: Context,
  { userId, clientId, program, scopes }: NewGrant,
  settle: (tx: Transaction, grantId: string) => Promise<void>,
): Promise<void> {
  const id = newId("assistantGrant");
  await change(ctx, async (tx, record) => {
    const living = { ...own(ctx), userId, revokedAt: null, expiresAt: { gt: ctx.now } };
    if ((await tx.assistantGrant.count({ where: living })) >= maxGrantsPerMember) {
      throw new Refusal(
        "conflict",
        `You have ${maxGrantsPerMember} assistants connected. Disconnect one first.`,
      );
    }
    const { name: clientName, host: clientHost, isVerified } = program;
    await tx.assistantGrant.create({
      data: {
        ...own(ctx),
        ...{ id, userId, clientId, clientName, clientHost, isVerified, scopes },
        expiresAt: new Date(ctx.now.getTime() + untilFetchedMs),
        createdAt: ctx.now,
      },
    });
    await settle(tx, id);
    const changes = { name: { from: null, to: clientName }, scopes: { from: null, to: scopes } };
    record({ action: "ASSISTANT_CONNECTED", target: { type: "assistant", id }, changes });
  });
}

/**
 * Revokes a grant of the workspace, and deletes its codes and tokens. Returns false if there is no such grant, or it is
 * already revoked.
 */
export async function revokeGrant(
  ctx: Context,
  { id, userId, reason }: { id: string; userId?: string; reason?: string },
): Promise<boolean> {
  return change(ctx, async (tx, record) => {
    const where = { ...own(ctx), id, revokedAt: null, ...(userId ? { userId } : {}) };
    const found = await tx.assistantGrant.findFirst({ where, select: { clientName: true, scopes: true } });
    const { count } = await tx.assistantGrant.updateMany({ where, data: { revokedAt: ctx.now } });
    if (!found || count === 0) return false;
    await tx.assistantArtifact.deleteMany({ where: { ...own(ctx), grantId: id } });
    const { clientName, scopes } = found;
    const changes = { name: { from: clientName, to: null }, scopes: { from: scopes, to: null } };
    record({ action: "ASSISTANT_REVOKED", target: { type: "assistant", id }, changes, reason });
    return true;
  });
}

/** Ends a grant that its program gives up, or whose tokens someone else seems to use. */
export async function revokeGrantBySystem(id: string, reason: string): Promise<void> {
  const found = await db.assistantGrant.findUnique({ where: { id }, select: { organizationId: true } });
  if (!found) return;
  // The workspace is that of the grant, not one that the caller names.
  const ctx = systemContext(asOrganization(found.organizationId), "assistants", clock());
  await revokeGrant(ctx, { id, reason });
}

/** A grant that is not revoked, and whose member has not left the workspace. It may have expired. */
export interface ActiveGrant {
  id: string;
  userId: string;
  clientId: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
}

export async function findActiveGrant(id: string): Promise<ActiveGrant | undefined> {
  const row = await db.assistantGrant.findFirst({
    where: { id, revokedAt: null, member: { is: { removedAt: null } } },
    select: { id: true, userId: true, clientId: true, scopes: true, createdAt: true, expiresAt: true },
  });
  return row ?? undefined;
}
