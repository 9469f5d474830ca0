/** The Home page: what needs the member, what waits for others, and the workspace's key figures. */

import { countPendingApprovals, pendingApprovals } from "#lib/approvals/pending.ts";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { countDue } from "#lib/obligations/filter.ts";
import { firstObligations } from "#lib/obligations/list.ts";
import { countContracts, countEnds, endingStatuses, openStatuses } from "#lib/overview/analytics/counts.ts";
import { outStatuses } from "#lib/signatures/lifecycle.ts";
import { outForSignatureSql } from "#lib/signatures/turns.ts";
import { requestsOf } from "./requests.ts";

/** The number of items of each kind that are shown before a link to the list. */
const shown = 10;

const renewalDays = 90;

type Status = (typeof contractStatuses)[number];

/** Returns the query string of a list's page. */
const queryOf = (...pairs: [string, string][]) => new URLSearchParams(pairs).toString();
const statuses = (all: readonly Status[]) => all.map((status): [string, string] => ["status", status]);

export async function summarizeHome(ctx: Context) {
  const [mineDue, workspace, next, requests, signing, renewals, contracts, approvals] = await Promise.all([
    dueOf(ctx, ctx.actor.id),
    overseesWorkspace(ctx) ? dueOf(ctx, null) : null,
    firstObligations(ctx, { status: ["OVERDUE", "DUE"], assigneeId: ctx.actor.id }, shown),
    requestsOf(ctx, shown),
    countSigning(ctx),
    nextRenewals(ctx),
    countContracts(ctx),
    myApprovals(ctx),
  ]);
  const { signatures, stuck, waiting } = requests;
  const mine = { signatures, approvals, ...mineDue, next, stuck };
  return {
    home: {
      mine,
      workspace,
      signing,
      waiting,
      renewals,
      contractsByStatus: listedByStatus(contracts.byStatus),
      valueByCurrency: listedByCurrency(contracts.openValue),
    },
  };
}

const overseesWorkspace = ({ actor }: Context) =>
  actor.kind === "user" && (actor.role === "owner" || actor.role === "admin");

async function myApprovals(ctx: Context) {
  const count = await countPendingApprovals(ctx);
  // For most people the count is 0, and PostgreSQL takes longer to plan the list than to read it.
  return { count, next: count === 0 ? [] : await pendingApprovals(ctx, shown) };
}

/** Counts the due and overdue obligations that one member is responsible for, or everyone's. */
async function dueOf(ctx: Context, assigneeId: string | null) {
  const { due, overdue } = await countDue(ctx, assigneeId === null ? {} : { assigneeId });
  const listed = (status: "DUE" | "OVERDUE", count: number) => {
    const query = queryOf(
      ["status", status],
      ...(assigneeId ? [["assigneeId", assigneeId] as [string, string]] : []),
    );
    return { count, list: "obligations", query };
  };
  return { due: listed("DUE", due), overdue: listed("OVERDUE", overdue) };
}

async function countSigning(ctx: Context) {
  const [row] = await select<{ count: number }>(
    `SELECT count(*)::int AS count FROM envelopes e WHERE organization_id = $1 AND ${outForSignatureSql}`,
    [ctx.organizationId],
  );
  return {
    count: row!.count,
    list: "signatures",
    query: queryOf(...outStatuses.map((s): [string, string] => ["status", s])),
  };
}

async function nextRenewals(ctx: Context) {
  const today = dayOf(ctx.now);
  const last = addDays(today, renewalDays);
  const [ends, next] = await Promise.all([
    countEnds(ctx, today, last),
    select<{ id: string }>(
      `SELECT id, title, expires_at AS "expiresAt", auto_renews AS "autoRenews" FROM contracts
       WHERE organization_id = $1 AND NOT archived AND status = ANY($4::text[]) AND expires_at BETWEEN $2::date AND $3::date
       ORDER BY expires_at, id LIMIT ${shown}`,
      [ctx.organizationId, today, last, endingStatuses],
    ),
  ]);
  const query = queryOf(
    ...statuses(endingStatuses),
    ...([
      ["expiresFrom", today],
      ["expiresTo", last],
    ] as [string, string][]),
    ...([
      ["sort", "expiresAt"],
      ["dir", "asc"],
    ] as [string, string][]),
  );
  const count = ends.reduce((sum, day) => sum + day.count, 0);
  return { count, list: "contracts", query, byWeek: weeksOf(ends), next };
}

function weeksOf(all: { days: number; count: number; renews: number }[]) {
  const weeks = new Map<number, { week: number; ends: number; renews: number }>();
  for (const { days, count, renews } of all) {
    const week = Math.floor(days / 7);
    const sum = weeks.get(week) ?? { week, ends: 0, renews: 0 };
    weeks.set(week, { week, ends: sum.ends + count - renews, renews: sum.renews + renews });
  }
  return [...weeks.values()];
}

function listedByStatus(counts: Record<Status, number>) {
  return contractStatuses.map((status) => ({
    ...{ status, count: counts[status] },
    ...{ list: "contracts", query: queryOf(["status", status]) },
  }));
}

/** Amounts in different currencies can't be compared, so the currency with the most contracts comes first. */
function listedByCurrency(sums: { currency: string; valueCents: string; count: number }[]) {
  const byCount = sums.sort((a, b) => b.count - a.count || a.currency.localeCompare(b.currency));
  return byCount.map((row) => {
    const query = queryOf(...statuses(openStatuses), ["valueCurrency", row.currency], ["sort", "valueCents"]);
    return { ...row, list: "contracts", query };
  });
}
