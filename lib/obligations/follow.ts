/** What happens to a contract's obligations when the contract changes. Called inside the contract's transaction. */

import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { midnight } from "#lib/core/dates.ts";
import { withAssignees } from "./assignees.ts";
import { anchorsOf, isInternal, type OwningContract } from "./contract.ts";
import { progressOf, scheduleOf } from "./recurrence.ts";
import { resolve } from "./resolve.ts";
import { obligationFrom, statusOf } from "./rows.ts";

const undecided = { in: ["OPEN", "SUGGESTED"] };

/** Recalculates the dates of obligations that are still open. */
export async function resolveObligations(ctx: Context, contract: OwningContract): Promise<void> {
  const anchors = anchorsOf(contract);
  await change(ctx, async (tx, record) => {
    const where = { ...own(ctx), contractId: contract.id, state: undecided };
    const rows = await tx.obligation.findMany({ where, orderBy: { id: "asc" } });
    for (const row of await withAssignees(ctx, rows)) {
      const { resolvedDate, resolutionBasis } = resolve(scheduleOf(row), anchors);
      const date = resolvedDate && midnight(resolvedDate);
      if (row.resolvedDate?.getTime() === date?.getTime() && row.resolutionBasis === resolutionBasis)
        continue;
      const data = { ...progressOf(row), resolvedDate: date, resolutionBasis, updatedAt: ctx.now };
      const status = { from: statusOf(row, ctx.now), to: statusOf({ ...row, ...data }, ctx.now) };
      await tx.obligation.update({ where: { organizationId_id: { ...own(ctx), id: row.id } }, data });
      record({
        action: "OBLIGATION_UPDATED",
        target: { type: "obligation", id: row.id },
        contract,
        changes: {
          resolvedDate: { from: row.resolvedDate, to: date },
          resolutionBasis: { from: row.resolutionBasis, to: resolutionBasis },
          ...(status.from !== status.to && { status }),
        },
        resource: { obligation: obligationFrom({ ...row, ...data }, ctx.now) },
        isInternal: isInternal(row, contract),
      });
    }
  });
}

/** Cancels open obligations when their contract ends. */
export async function cancelObligations(ctx: Context, contract: OwningContract): Promise<void> {
  await cancel(ctx, contract, { state: undecided }, {});
}

/**
 * The value of `proposedAs` for a proposal that its document no longer makes: nobody decided, so it may be proposed
 * again.
 */
export const withdrawn = "withdrawn";

/** Cancels proposals that the contract's newest document no longer makes. */
export async function withdrawProposals(
  ctx: Context,
  contract: OwningContract,
  ids: string[],
): Promise<void> {
  await cancel(ctx, contract, { id: { in: ids }, state: "SUGGESTED" }, { proposedAs: withdrawn });
}

async function cancel(
  ctx: Context,
  contract: OwningContract,
  which: { id?: { in: string[] }; state: string | typeof undecided },
  more: { proposedAs?: string },
): Promise<void> {
  await change(ctx, async (tx, record) => {
    const where = { ...own(ctx), contractId: contract.id, ...which };
    const rows = await tx.obligation.findMany({ where, orderBy: { id: "asc" } });
    for (const row of await withAssignees(ctx, rows)) {
      const data = { ...more, state: "CANCELLED", updatedAt: ctx.now };
      await tx.obligation.update({ where: { organizationId_id: { ...own(ctx), id: row.id } }, data });
      record({
        action: "OBLIGATION_UPDATED",
        target: { type: "obligation", id: row.id },
        contract,
        changes: { status: { from: statusOf(row, ctx.now), to: "CANCELLED" } },
        resource: { obligation: obligationFrom({ ...row, ...data }, ctx.now) },
        isInternal: isInternal(row, contract),
      });
    }
  });
}
