/** Creates, changes, completes and waives obligations. */

import { change, differences, excerpt, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { dayOf, midnight } from "#lib/core/dates.ts";
import type { Transaction } from "#lib/core/db.ts";
import { invalid, notFound, Refusal, rethrowWithIssues } from "#lib/core/errors.ts";
import type { Changes, Entry } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import { whyNot } from "#lib/core/lifecycle.ts";
import { expectUnchanged } from "#lib/core/serialize.ts";
import {
  type Assigned,
  assigneeIssues,
  assigneeToldAfter,
  requireMember,
  withAssignee,
} from "./assignees.ts";
import { anchorsOf, findOwningContract, isInternal, type OwningContract } from "./contract.ts";
import {
  canRequest,
  closesObligations,
  type ObligationSource,
  type ObligationStatus,
  obligationLifecycle,
} from "./lifecycle.ts";
import { completed, rescheduled, scheduleOf } from "./recurrence.ts";
import { resolve } from "./resolve.ts";
import { type ObligationRow, type ObligationState, obligationFrom, statusOf } from "./rows.ts";
import { type NewObligation, ObligationAnswer, type ObligationPatch } from "./schema.ts";

export const defaults = {
  description: null,
  sourceText: null,
  sourcePage: null,
  sourceVersionId: null,
  proposedAs: null,
  offsetValue: 0,
  offsetUnit: "DAY" as const,
  offsetDirection: "AFTER" as const,
  fixedDate: null,
  recurrenceMonths: null,
  completedCount: 0,
  assigneeId: null,
};

/** What a document says, and where: it becomes an obligation only once someone accepts it. */
interface Proposed {
  state?: "SUGGESTED";
  sourcePage?: number;
  sourceVersionId?: string;
  proposedAs?: string;
}

/** Creates an obligation; internal callers have more sources for one than a request can name. */
export async function createObligation(
  ctx: Context,
  input: Omit<NewObligation, "source"> & { source: ObligationSource } & Proposed,
): Promise<Assigned<ObligationRow>> {
  return change(ctx, async (tx, record) => {
    const fields = { ...defaults, ...definedProperties(input) };
    const contract = await contractFor(tx, ctx, input.contractId).catch(
      rethrowWithIssues(() => assigneeIssues(tx, ctx, fields.assigneeId)),
    );
    requireFixedDate(fields);
    if (fields.assigneeId) await requireMember(tx, ctx, fields.assigneeId);
    refuseIfEnded(contract);
    const made = await tx.obligation.create({
      data: {
        ...fields,
        ...own(ctx),
        ...resolution(fields, contract),
        assigneeTold: assigneeToldAfter(ctx, fields.assigneeId),
        id: newId("obligation"),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      },
    });
    const row = await withAssignee(ctx, made);
    record({
      action: input.state === "SUGGESTED" ? "OBLIGATION_PROPOSED" : "OBLIGATION_CREATED",
      target: { type: "obligation", id: row.id },
      contract,
      changes: { title: { from: null, to: row.title } },
      resource: { obligation: obligationFrom(row, ctx.now) },
      isInternal: contract.archivedAt !== null,
    });
    return row;
  });
}

/** Applies a PATCH, including status changes that a person may make. */
export async function patchObligation(
  ctx: Context,
  { id, status, occurrence, ...patch }: ObligationPatch,
): Promise<Assigned<ObligationRow>> {
  return change(ctx, async (tx, record) => {
    const { contractId } = await findObligation(ctx, id);
    // Locks the contract first, as changes to its dates do: otherwise the two could deadlock.
    const contract = await contractFor(tx, ctx, contractId);
    await tx.$queryRaw`SELECT 1 FROM obligations
      WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR UPDATE`;
    const before = await findObligation(ctx, id);
    await expectUnchanged(ctx, ObligationAnswer, () => ({ obligation: obligationFrom(before, ctx.now) }));
    const patched = rescheduled(before, definedProperties(patch));
    requireFixedDate(patched);
    const { assigneeId } = patched;
    const isReassigned = assigneeId !== before.assigneeId;
    if (isReassigned && assigneeId) await requireMember(tx, ctx, assigneeId);
    if (occurrence !== undefined) expectNext(before, occurrence);
    // A waived obligation's date is frozen; an open one's follows from the rest of the patch.
    const { resolvedDate } = before.state === "WAIVED" ? before : resolution(patched, contract);
    const due = { ...patched, resolvedDate };
    const after = { ...patched, ...(status ? decide(due, statusOf(before, ctx.now), status) : {}) };
    if (after.state === "OPEN" && before.state !== "OPEN") refuseIfEnded(contract, "invalid_transition");
    Object.assign(after, resolution(after, contract));
    const changes = recorded(before, after, ctx.now);
    if (Object.keys(changes).length === 0) return before;
    if (isReassigned) after.assigneeTold = assigneeToldAfter(ctx, assigneeId, before.assigneeTold);
    const { organizationId: _, id: __, contractId: ___, createdAt: ____, assignee: _____, ...data } = after;
    await tx.obligation.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: { ...data, updatedAt: ctx.now },
    });
    const row = await withAssignee(ctx, { ...after, updatedAt: ctx.now });
    for (const action of actionsOf(before, status)) {
      record({
        action,
        target: { type: "obligation", id },
        contract,
        changes,
        resource: { obligation: obligationFrom(row, ctx.now) },
        before: obligationFrom(before, ctx.now),
        isInternal: isInternal(row, contract),
      });
    }
    return row;
  });
}

/** Completing or waiving a proposal also accepts it: receivers get the acceptance first, then the outcome. */
function actionsOf(before: ObligationRow, status: ObligationStatus | undefined): Entry["action"][] {
  if (before.state !== "SUGGESTED" || !status) return [actionOf(status)];
  if (status === "CANCELLED") return ["OBLIGATION_REJECTED"];
  return status === "UPCOMING" ? ["OBLIGATION_ACCEPTED"] : ["OBLIGATION_ACCEPTED", actionOf(status)];
}

function actionOf(status: ObligationStatus | undefined): Entry["action"] {
  if (status === "COMPLETED") return "OBLIGATION_COMPLETED";
  return status === "WAIVED" ? "OBLIGATION_WAIVED" : "OBLIGATION_UPDATED";
}

/** What a person's decision changes. A recurring obligation is never completed: it moves to its next date. */
function decide(row: ObligationRow, from: ObligationStatus, next: ObligationStatus): Partial<ObligationRow> {
  if (!canRequest(from, next)) {
    throw new Refusal("invalid_transition", whyNot(obligationLifecycle, from, next));
  }
  if (next === "COMPLETED" && row.recurrenceMonths !== null) {
    return { state: "OPEN", ...completed(row, row.resolvedDate) };
  }
  return { state: (next === "UPCOMING" ? "OPEN" : next) satisfies ObligationState | string };
}

/** Throws if the request is about an occurrence that someone else has completed meanwhile, or that has moved. */
function expectNext({ resolvedDate }: ObligationRow, occurrence: Date | null): void {
  const [meant, next] = [occurrence, resolvedDate].map((date) =>
    date ? `of ${dayOf(date)}` : "without a date",
  );
  if (meant === next) return;
  throw new Refusal(
    "conflict",
    `The occurrence ${meant} is no longer the next one: the next is now the one ${next}.`,
  );
}

function resolution(fields: Parameters<typeof scheduleOf>[0], contract: OwningContract) {
  const { resolvedDate, resolutionBasis } = resolve(scheduleOf(fields), anchorsOf(contract));
  return { resolvedDate: resolvedDate && midnight(resolvedDate), resolutionBasis };
}

function requireFixedDate({ anchorType, fixedDate }: { anchorType: string; fixedDate: Date | null }): void {
  if (anchorType === "FIXED_DATE" && !fixedDate) {
    throw invalid({ path: "fixedDate", message: "is required when anchorType is FIXED_DATE" });
  }
}

/** Only the properties given. */
export function definedProperties<T extends object>(input: T) {
  const some = { ...input };
  for (const name of Object.keys(input) as (keyof T)[]) if (input[name] === undefined) delete some[name];
  return some as T & { [K in keyof T]: Exclude<T[K], undefined> };
}

/** The changes as recorded in the log: statuses by their API names, long texts by their beginnings. */
function recorded(before: ObligationRow, after: Assigned<ObligationRow>, now: Date): Changes {
  const { state: _, resolutionBasis: __, assignee: ___, ...rest } = after;
  // Progress follows from the completions.
  const { completedThrough: ____, throughCount: _____, ...fields } = rest;
  const { changes } = differences<Partial<ObligationRow>>(before, fields);
  for (const name of ["description", "sourceText"] as const) {
    if (changes[name]) changes[name] = { from: excerpt(before[name]), to: excerpt(after[name]) };
  }
  const status = { from: statusOf(before, now), to: statusOf(after, now) };
  return status.from === status.to ? changes : { ...changes, status };
}

/** A cancelled or terminated contract has no open obligations, and gets no new ones. */
function refuseIfEnded(
  { status }: OwningContract,
  code: "conflict" | "invalid_transition" = "conflict",
): void {
  if (!closesObligations(status)) return;
  throw new Refusal(code, `The contract is ${status}: it can no longer have open obligations.`);
}

/** The contract that an obligation is calculated from, locked until the transaction ends. */
async function contractFor(tx: Transaction, ctx: Context, id: string): Promise<OwningContract> {
  const found = await tx.$queryRaw<unknown[]>`SELECT 1 FROM contracts
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR SHARE`;
  if (found.length === 0) {
    throw invalid({ path: "contractId", message: "is not a contract of this workspace" });
  }
  return findOwningContract(ctx, id);
}

export async function findObligation(ctx: Context, id: string): Promise<Assigned<ObligationRow>> {
  const row = await reader().obligation.findUnique({ where: { organizationId_id: { ...own(ctx), id } } });
  if (!row) throw notFound("obligation");
  return withAssignee(ctx, row);
}
