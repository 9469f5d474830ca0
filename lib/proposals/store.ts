/**
 * Stores drafts as proposals, except those that someone has already decided on or entered. They replace what an older
 * text, or an older edition of the rules, proposed.
 */
import { findContract } from "#lib/contracts/rows.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { findOwningContract } from "#lib/obligations/contract.ts";
import { withdrawn, withdrawProposals } from "#lib/obligations/follow.ts";
import { closesObligations } from "#lib/obligations/lifecycle.ts";
import { createObligation } from "#lib/obligations/obligations.ts";
import type { DateDraft, Drafts, ObligationDraft } from "./from-findings.ts";

/** The limit of open proposed obligations of a contract, whatever its document says. */
const maxOpen = 24;

export async function storeDrafts(
  ctx: Context,
  tx: Transaction,
  { id: versionId, contractId }: { id: string; contractId: string },
  { dates, obligations }: Drafts,
): Promise<void> {
  const contract = await findContract(ctx, contractId);
  if (closesObligations(contract.status)) return;
  await storeDates(ctx, tx, contract, versionId, dates);
  const all = await tx.obligation.findMany({ where: { ...own(ctx), contractId } });
  const there = all.filter(({ proposedAs }) => proposedAs !== withdrawn);
  const known = new Set(there.flatMap((row) => [scheduleKey(row), row.proposedAs ?? scheduleKey(row)]));
  const open = there.filter(({ state }) => state === "SUGGESTED").length;
  const fresh = obligations
    .filter((one) => !known.has(scheduleKey(one)))
    .slice(0, Math.max(0, maxOpen - open));
  for (const one of fresh) {
    const { page: sourcePage, quote: sourceText, reasoning: description, ...fields } = one;
    const source = {
      source: "AI",
      state: "SUGGESTED",
      sourceText,
      sourcePage,
      sourceVersionId: versionId,
      proposedAs: scheduleKey(one),
    } as const;
    await createObligation(ctx, { contractId, ...fields, description, ...source });
  }
}

/**
 * Withdraws proposals that are not among these, which are all the drafts of the newest text. Keeps obligations that
 * someone has changed or assigned: the members decide on them.
 */
export async function withdrawOthers(
  ctx: Context,
  tx: Transaction,
  contractId: string,
  { dates, obligations }: Drafts,
): Promise<void> {
  const ofContract = { ...own(ctx), contractId, state: "SUGGESTED" };
  const anchors = dates.map(({ anchor }) => anchor as string);
  await tx.dateProposal.deleteMany({ where: { ...ofContract, anchor: { notIn: anchors } } });
  const stated = new Set(obligations.map(scheduleKey));
  const open = await tx.obligation.findMany({ where: { ...ofContract, source: "AI" } });
  const gone = open.filter((one) => {
    const isUntouched = one.proposedAs === scheduleKey(one) && one.assigneeId === null;
    return isUntouched && !stated.has(scheduleKey(one));
  });
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  await withdrawProposals(ctx, await findOwningContract(ctx, contractId), ids);
}

/** Identifies a duty and its time. It is not proposed again once rejected, accepted, done or entered by hand. */
function scheduleKey(
  one: Pick<ObligationDraft, "offsetValue" | "fixedDate"> & Record<ScheduleName, string>,
): string {
  const { kind, anchorType, offsetUnit, offsetDirection, offsetValue, fixedDate } = one;
  const direction = offsetValue === 0 ? "" : offsetDirection;
  const day = fixedDate && anchorType === "FIXED_DATE" ? fixedDate.toISOString().slice(0, 10) : "";
  return [kind, anchorType, offsetValue, offsetUnit, direction, day].join(" ");
}
type ScheduleName = "kind" | "anchorType" | "offsetUnit" | "offsetDirection";

/** Stores proposals for dates that the contract lacks. Each replaces the proposal of an older text. */
async function storeDates(
  ctx: Context,
  tx: Transaction,
  contract: Contract,
  versionId: string,
  dates: DateDraft[],
): Promise<void> {
  const ofContract = { ...own(ctx), contractId: contract.id };
  for (const { anchor, value, page, quote, reasoning } of dates.filter((one) => isMissing(contract, one))) {
    const isDecided = await tx.dateProposal.count({
      where: { ...ofContract, anchor, value, state: { not: "SUGGESTED" } },
    });
    if (isDecided > 0) continue;
    await tx.dateProposal.deleteMany({ where: { ...ofContract, anchor, state: "SUGGESTED" } });
    const found = { versionId, page, quote, reasoning };
    await tx.dateProposal.create({
      data: { ...ofContract, anchor, value, ...found, state: "SUGGESTED", createdAt: ctx.now },
    });
  }
}

export function isMissing(contract: Contract, { anchor }: Pick<DateDraft, "anchor">): boolean {
  if (anchor === "EFFECTIVE_DATE") return contract.effectiveDate === null;
  return anchor === "TERM" ? contract.termMonths === null : !contract.autoRenews;
}

/** Deletes the proposed dates of a contract that is being deleted, and the decisions on them. */
export async function removeProposalsOf(tx: Transaction, ctx: Context, contractId: string): Promise<void> {
  await tx.dateProposal.deleteMany({ where: { ...own(ctx), contractId } });
}
