/** Signers who sign as members of the workspace can do so only while they are members. */
import { reader } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";

/** Of the signers who sign as members, the ids of those who have left the workspace. */
export async function departedSigners(
  { organizationId }: Pick<Context, "organizationId">,
  signers: readonly { id: string; userId: string | null }[],
): Promise<Set<string>> {
  const asMembers = signers.flatMap(({ id, userId }) => (userId === null ? [] : [{ id, userId }]));
  if (asMembers.length === 0) return new Set();
  const userIds = asMembers.map(({ userId }) => userId);
  const members = await reader().member.findMany({
    where: { organizationId, userId: { in: userIds }, removedAt: null },
    select: { userId: true },
  });
  const here = new Set(members.map(({ userId }) => userId));
  return new Set(asMembers.filter(({ userId }) => !here.has(userId)).map(({ id }) => id));
}
