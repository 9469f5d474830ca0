/** Lists of obligations, by due date. */
import { reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { type Day, midnight } from "#lib/core/dates.ts";
import { paged, pageOffset } from "#lib/core/wire.ts";
import { withAssignees } from "./assignees.ts";
import { findOwningContract } from "./contract.ts";
import { filterOf, type ObligationFilter, soonestFirst } from "./filter.ts";
import { obligationFrom, statusOf } from "./rows.ts";
import {
  type CalendarQuery,
  type ObligationQuery,
  type ObligationsOfContract,
  obligationPageSize,
} from "./schema.ts";

/** A page of the workspace's obligations. */
export async function listObligations(ctx: Context, input: ObligationQuery) {
  const { with: before, from, values, total } = filterOf(ctx, input);
  const [found] = await select<{ ids: string[]; total: number }>(
    `${before} SELECT ${total} AS total, ARRAY(SELECT o.id FROM ${from} ${soonestFirst}
       LIMIT ${obligationPageSize} OFFSET ${pageOffset({ page: input.page, pageSize: obligationPageSize })}) AS ids`,
    values,
  );
  const data = await obligationsById(ctx, found!.ids);
  return paged(data, { page: input.page, pageSize: obligationPageSize, total: found!.total });
}

/** In the order of the ids. */
async function obligationsById(ctx: Context, ids: string[]) {
  const rows = await reader().obligation.findMany({ where: { ...own(ctx), id: { in: ids } } });
  const byId = new Map((await withAssignees(ctx, rows)).map((row) => [row.id, obligationFrom(row, ctx.now)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The first obligations of a list, each with its contract's title. */
export async function firstObligations(ctx: Context, filter: ObligationFilter, most: number) {
  const { with: before, from, values } = filterOf(ctx, filter);
  const rows = await select<FirstRow>(
    `${before} SELECT o.id, o.contract_id AS "contractId", c.title AS "contractTitle", o.title, o.kind, o.state,
       o.resolved_date AS "resolvedDate", o.recurrence_months AS "recurrenceMonths"
     FROM (SELECT o.id FROM ${from} ${soonestFirst} LIMIT ${most}) first
     JOIN obligations o ON o.organization_id = $1 AND o.id = first.id
     JOIN contracts c ON c.organization_id = $1 AND c.id = o.contract_id ${soonestFirst}`,
    values,
  );
  return rows.map(({ state, ...row }) => {
    const resolvedDate = row.resolvedDate === null ? null : new Date(row.resolvedDate);
    return { ...row, status: statusOf({ state, resolvedDate }, ctx.now) };
  });
}

interface FirstRow {
  id: string;
  contractId: string;
  contractTitle: string;
  title: string;
  kind: string;
  state: string;
  resolvedDate: string | null;
  recurrenceMonths: number | null;
}

/** The same page for people: with the contract of each obligation. */
export async function agendaOf(ctx: Context, input: ObligationQuery) {
  const page = await listObligations(ctx, input);
  return { ...page, data: await inContracts(ctx, page.data) };
}

/** Adds the contract and counterparty to each obligation. */
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

/** All obligations of one contract; including those its document proposes, if requested. */
export async function obligationsOf(ctx: Context, { id: contractId, status }: ObligationsOfContract) {
  const rows = await reader().obligation.findMany({
    where: { ...own(ctx), contractId },
    orderBy: [{ resolvedDate: { sort: "asc", nulls: "last" } }, { id: "asc" }],
  });
  if (rows.length === 0) await findOwningContract(ctx, contractId);
  const listed = rows.filter((row) =>
    status ? status.includes(statusOf(row, ctx.now)) : row.state !== "SUGGESTED",
  );
  return { data: (await withAssignees(ctx, listed)).map((row) => obligationFrom(row, ctx.now)) };
}

/** Enough for one day of a calendar; the rest of a day is shown as a list. */
const maxShown = 3;

/** The obligations due on each day of a range: how many, and the first few. */
export async function calendarOf(ctx: Context, { from, to, ...input }: CalendarQuery) {
  const filter = filterOf(ctx, { ...input, dueFrom: midnight(from as Day), dueTo: midnight(to as Day) });
  const all = await select<{ id: string; day: Day }>(
    `${filter.with} SELECT o.id, o.resolved_date::text AS day FROM ${filter.from} ${soonestFirst}`,
    filter.values,
  );
  const byDay = new Map<Day, string[]>();
  for (const { id, day } of all) {
    const ids = byDay.get(day);
    if (ids) ids.push(id);
    else byDay.set(day, [id]);
  }
  const shown = [...byDay.values()].flatMap((ids) => ids.slice(0, maxShown));
  const rows = await reader().obligation.findMany({ where: { ...own(ctx), id: { in: shown } } });
  const named = await inContracts(ctx, await withAssignees(ctx, rows));
  const byId = new Map(named.map((row) => [row.id, { ...row, status: statusOf(row, ctx.now) }]));
  const days = [...byDay].map(([day, ids]) => ({
    ...{ day, count: ids.length },
    obligations: ids.slice(0, maxShown).flatMap((id) => byId.get(id) ?? []),
  }));
  return { days };
}
