/** Previews what other dates would change, before they are saved. */
import type { Context } from "#lib/core/context.ts";
import { dayOf, expiresOn, midnight } from "#lib/core/dates.ts";
import { anchorsOf } from "#lib/obligations/contract.ts";
import { previewObligations } from "#lib/obligations/preview.ts";
import { advance, type ContractStatus } from "./lifecycle.ts";
import { findContract } from "./rows.ts";
import type { ContractAnchors } from "./schema.ts";

/** Applies the dates as setAnchors would, and then the calendar's steps. */
export async function previewAnchors(ctx: Context, { id, ...patch }: ContractAnchors) {
  const before = await findContract(ctx, id);
  const day = (date: Date | null | undefined, present: ReturnType<typeof dayOf> | null) =>
    date === undefined ? present : date && dayOf(date);
  const present = anchorsOf(before);
  const { termMonths = before.termMonths, autoRenews = before.autoRenews } = patch;
  const { renewalMonths = before.renewalMonths } = patch;
  const anchors = {
    effectiveDate: day(patch.effectiveDate, present.effectiveDate),
    executedAt: day(patch.executedAt, present.executedAt),
    termMonths,
    autoRenews,
  };
  const status = before.status as ContractStatus;
  const then = advance({ ...anchors, renewalMonths, status }, dayOf(ctx.now));
  const ends = expiresOn(anchors);
  return {
    expiresAt: { from: before.expiresAt, to: ends && midnight(ends) },
    status: { from: status, to: then.status },
    renewals: ((then.termMonths ?? 0) - (termMonths ?? 0)) / (then.renewalMonths ?? 1),
    obligations: await previewObligations(ctx, id, anchors),
  };
}
