/** A workspace as its members see it: name, currency, plan. */
import { change, differences, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { describeCertificate } from "#lib/documents/seal/signing-key.ts";
import type { Workspace, WorkspacePatch } from "./schema.ts";

export async function readWorkspace(ctx: Context): Promise<{ workspace: Workspace }> {
  const [row, members, invited, keys] = await Promise.all([
    reader().organization.findUniqueOrThrow({ where: { id: ctx.organizationId } }),
    reader().member.count({ where: { ...own(ctx), removedAt: null } }),
    reader().invitation.count({
      where: { ...own(ctx), acceptedAt: null, revokedAt: null, expiresAt: { gt: ctx.now } },
    }),
    reader().signingKey.findMany({
      where: own(ctx),
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: { certificates: true, createdAt: true },
    }),
  ]);
  const { id, name, currency, seats, createdAt } = row;
  const subscriptionStatus = row.subscriptionStatus as Workspace["subscriptionStatus"];
  const plan = { seats, seatsUsed: members + invited, subscriptionStatus };
  const sealingCertificates = keys.map(({ certificates, createdAt: firstUsed }) => {
    const { name: subject, fingerprint, notAfter } = describeCertificate(certificates[0]!);
    return { name: subject, fingerprint, firstUsedAt: firstUsed.toISOString(), notAfter };
  });
  return {
    workspace: { id, name, currency, ...plan, createdAt: createdAt.toISOString(), sealingCertificates },
  };
}

export async function patchWorkspace(ctx: Context, patch: WorkspacePatch): Promise<{ workspace: Workspace }> {
  return change(ctx, async (tx, record) => {
    const where = { id: ctx.organizationId };
    const before = await tx.organization.findUniqueOrThrow({ where });
    const { fields, changes } = differences<WorkspacePatch>(before, patch);
    if (Object.keys(changes).length > 0) {
      await tx.organization.update({ where, data: { ...fields, updatedAt: ctx.now } });
      record({ action: "WORKSPACE_UPDATED", target: { type: "workspace", id: ctx.organizationId }, changes });
    }
    return readWorkspace(ctx);
  });
}
