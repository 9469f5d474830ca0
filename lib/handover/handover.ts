/** Counts what a leaving member holds, and hands it over to a successor. */
import { countApprovalsOf, handOverApprovals } from "#lib/approvals/successor.ts";
import { patchContract } from "#lib/contracts/contracts.ts";
import { change, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { patchObligation } from "#lib/obligations/obligations.ts";
import { removableMember, removeMember } from "#lib/people/members/members.ts";
import { lockSeats } from "#lib/people/members/seats.ts";
import type { Departure, Holder, Holdings } from "./schema.ts";

export async function holdingsOf(ctx: Context, { memberId }: Holder): Promise<Holdings> {
  const { userId } = await removableMember(ctx, memberId);
  const [contracts, obligations, approvals] = await Promise.all([
    reader().contract.count({ where: { ...own(ctx), ownerId: userId } }),
    reader().obligation.count({ where: { ...own(ctx), assigneeId: userId, state: "OPEN" } }),
    countApprovalsOf(ctx, userId),
  ]);
  return { contracts, obligations, approvals };
}

/** The limit of one change, so that it does not block others for long, however much a member leaves behind. */
const maxAtOnce = 100;

/** The largest number that a LIMIT accepts here. */
const all = 2_147_483_647;

/**
 * Ends a membership after handing everything over to the successor. The change that ends it hands over once more, to
 * include what the member was given in the meantime.
 */
export async function removeMemberFor(ctx: Context, { memberId, successorId }: Departure): Promise<void> {
  const { userId } = await removableMember(ctx, memberId);
  await requireSuccessor(ctx, userId, successorId);
  while ((await handOver(ctx, userId, successorId, maxAtOnce)) > 0);
  await change(ctx, async () => {
    await removeMember(ctx, memberId);
    await handOver(ctx, userId, successorId, all);
  });
}

async function requireSuccessor(ctx: Context, leaver: string, successorId: string | null): Promise<void> {
  if (successorId === null) return;
  const where = { ...own(ctx), userId: successorId, removedAt: null };
  if (successorId !== leaver && (await reader().member.count({ where })) > 0) return;
  throw invalid({
    path: "successorId",
    message: "is not the userId of another active member of this workspace",
  });
}

/** Hands over up to `take` each of contracts, obligations and approvals, and returns how many it handed over. */
async function handOver(ctx: Context, from: string, to: string | null, take: number): Promise<number> {
  const inOrder = { select: { id: true }, orderBy: { id: "asc" }, take } as const;
  return change(ctx, async (tx) => {
    // This also locks the approval rules until the commit (approvals/rules.ts takes the same lock).
    await lockSeats(ctx);
    const contracts =
      to === null ? [] : await tx.contract.findMany({ where: { ...own(ctx), ownerId: from }, ...inOrder });
    for (const { id } of contracts) await patchContract(ctx, { id, ownerId: to! });
    const obligations = await tx.obligation.findMany({
      where: { ...own(ctx), assigneeId: from },
      ...inOrder,
    });
    for (const { id } of obligations) await patchObligation(ctx, { id, assigneeId: to });
    const approvals = to === null ? 0 : await handOverApprovals(ctx, from, to, take);
    return contracts.length + obligations.length + approvals;
  });
}
