/** Lists of obligations, in the order in which they fall due. */

import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { addDays, type Day, dayOf, midnight } from "#lib/core/dates.ts";
import type { Prisma } from "#lib/core/db.ts";
import { escapeLike, paged, rowsBefore } from "#lib/core/wire.ts";
import { assignedTo, withAssignees } from "./assignees.ts";
import { findOwningContract } from "./contract.ts";
import { dueWithinDays, type ObligationStatus } from "./lifecycle.ts";
import { obligationFrom, statusOf } from "./rows.ts";
import {
  type CalendarQuery,
  type ObligationQuery,
  type ObligationsOfContract,
  obligationPageSize,
} from "./schema.ts";

type Where = Prisma.ObligationWhereInput;

const soonestFirst: Prisma.ObligationOrderByWithRelationInput[] = [
  { resolvedDate: { sort: "asc", nulls: "last" } },
  { id: "asc" },
];

/** A page of the workspace's obligations. */
export async function listObligations(ctx: Context, input: ObligationQuery) {
  const where = filterOf(ctx, input);
  const [rows, total] = await Promise.all([
    reader().obligation.findMany({
      where,
      orderBy: soonestFirst,
      skip: rowsBefore({ page: input.page, pageSize: obligationPageSize }),
      take: obligationPageSize,
    }),
    reader().obligation.count({ where }),
  ]);
  const data = (await withAssignees(ctx, rows)).map((row) => obligationFrom(row, ctx.now));
  return paged(data, { page: input.page, pageSize: obligationPageSize, total });
}

/** The same page for people: with what each belongs to. */
export async function agendaOf(ctx: Context, input: ObligationQuery) {
  const page = await listObligations(ctx, input);
  return { ...page, data: await inContracts(ctx, page.data) };
}

/** Obligations with the contract and the counterparty that each belongs to. */
async function inContracts<Row extends { contractId: string }>(ctx: Context, rows: Row[]) {
  const ids = [...new Set(rows.map(({ contractId }) => contractId))];
  const found = await reader().contract.findMany({
    where: { ...own(ctx), id: { in: ids } },
    select: { id: true, title: true, counterparty: { select: { id: true, name: true } } },
  });
  const byId = new Map(found.map((contract) => [contract.id, contract]));
  return rows.flatMap((row) => {
    const contract = byId.get(row.contractId);
    if (!contract) return [];
    const { id, title, counterparty } = contract;
    return [{ ...row, contract: { id, title }, counterparty }];
  });
}

/** All obligations of one contract; those that its document proposes where they are asked for. */
export async function obligationsOf(ctx: Context, { id: contractId, status }: ObligationsOfContract) {
  const where = filterOf(ctx, { contractId, status });
  const rows = await reader().obligation.findMany({ where, orderBy: soonestFirst });
  if (rows.length === 0) await findOwningContract(ctx, contractId);
  return { data: (await withAssignees(ctx, rows)).map((row) => obligationFrom(row, ctx.now)) };
}

/** Enough for a day's field; the rest of a day is a list. */
const mostShown = 3;

/** What falls due on each day of a span: how many, and the first few. */
export async function calendarOf(ctx: Context, { from, to, ...input }: CalendarQuery) {
  const [dueFrom, dueTo] = [midnight(from as Day), midnight(to as Day)];
  const where = filterOf(ctx, { ...input, dueFrom, dueTo });
  const all = await reader().obligation.findMany({
    where,
    orderBy: soonestFirst,
    select: { id: true, resolvedDate: true },
  });
  const byDay = new Map<Day, string[]>();
  for (const { id, resolvedDate } of all) {
    const day = dayOf(resolvedDate!);
    const ids = byDay.get(day);
    if (ids) ids.push(id);
    else byDay.set(day, [id]);
  }
  const shown = [...byDay.values()].flatMap((ids) => ids.slice(0, mostShown));
  const rows = await reader().obligation.findMany({ where: { ...own(ctx), id: { in: shown } } });
  const named = await inContracts(ctx, await withAssignees(ctx, rows));
  const byId = new Map(named.map((row) => [row.id, { ...row, status: statusOf(row, ctx.now) }]));
  const days = [...byDay].map(([day, ids]) => ({
    ...{ day, count: ids.length },
    obligations: ids.slice(0, mostShown).flatMap((id) => byId.get(id) ?? []),
  }));
  return { days };
}

function filterOf(ctx: Context, input: Partial<ObligationQuery>): Where {
  const today = dayOf(ctx.now);
  const all: Where[] = [own(ctx)];
  const archived = input.archived ?? (input.contractId ? "any" : "false");
  if (archived !== "any") all.push({ archived: archived === "true" });
  if (input.q) all.push({ title: { contains: escapeLike(input.q), mode: "insensitive" } });
  if (input.kind) all.push({ kind: { in: input.kind } });
  if (input.contractId) all.push({ contractId: input.contractId });
  if (input.counterpartyId)
    all.push({ contract: { is: { ...own(ctx), counterpartyId: input.counterpartyId } } });
  if (input.ownerId) all.push({ contract: { is: { ...own(ctx), ownerId: input.ownerId } } });
  if (input.assigneeId) all.push(assignedTo(ctx, input.assigneeId));
  if (input.status) all.push({ OR: input.status.map((status) => withStatus(status, today)) });
  else all.push({ state: { not: "SUGGESTED" } });
  if (input.dueFrom) all.push({ resolvedDate: { gte: midnight(dayOf(input.dueFrom)) } });
  if (input.dueTo) all.push({ resolvedDate: { lte: midnight(dayOf(input.dueTo)) } });
  return { AND: all };
}

/** What counts: the rest belongs to contracts that are archived. */
export const inSight: Where = { archived: false };

/** openStatus of lifecycle.ts as a filter: the same days, so that a list and its rows agree. */
export function withStatus(status: ObligationStatus, today: Day): Where {
  const lastDue = midnight(addDays(today, dueWithinDays));
  switch (status) {
    case "PENDING_ANCHOR":
      return { state: "OPEN", resolvedDate: null };
    case "OVERDUE":
      return { state: "OPEN", resolvedDate: { lt: midnight(today) } };
    case "DUE":
      return { state: "OPEN", resolvedDate: { gte: midnight(today), lte: lastDue } };
    case "UPCOMING":
      return { state: "OPEN", resolvedDate: { gt: lastDue } };
    default:
      return { state: status };
  }
}
