/** What a member sees first: what needs them, what waits for others, and where the workspace stands. */

import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { assignedTo } from "#lib/obligations/assignees.ts";
import { withStatus } from "#lib/obligations/list.ts";
import { statusOf } from "#lib/obligations/rows.ts";
import { outStatuses } from "#lib/signatures/lifecycle.ts";
import { requestsOf } from "./requests.ts";

/** How many of each a page shows before it links to the list. */
const shown = 10;

const renewalDays = 90;

/** Statuses in which a contract is worth something, or may be. */
const open = contractStatuses.filter((status) => !["EXPIRED", "TERMINATED", "CANCELLED"].includes(status));

type Status = (typeof contractStatuses)[number];

/** The part of a list's address after the question mark. */
const queryOf = (...pairs: [string, string][]) => new URLSearchParams(pairs).toString();
const statuses = (all: readonly Status[]) => all.map((status): [string, string] => ["status", status]);

export async function summarizeHome(ctx: Context) {
  const [mineDue, workspace, next, requests, signing, renewals, contractsByStatus, valueByCurrency] =
    await Promise.all([
      countDue(ctx, ctx.actor.id),
      overseesWorkspace(ctx) ? countDue(ctx, null) : null,
      nextObligations(ctx),
      requestsOf(ctx, shown),
      countSigning(ctx),
      nextRenewals(ctx),
      countByStatus(ctx),
      sumByCurrency(ctx),
    ]);
  const { signatures, stuck, waiting } = requests;
  const mine = { signatures, ...mineDue, next, stuck };
  return {
    home: {
      mine,
      workspace,
      signing,
      waiting,
      renewals,
      contractsByStatus,
      valueByCurrency,
    },
  };
}

const overseesWorkspace = ({ actor }: Context) =>
  actor.kind === "user" && (actor.role === "owner" || actor.role === "admin");

/** Obligations that are one member's to see to, or everyone's. */
async function countDue(ctx: Context, assigneeId: string | null) {
  const whose = assigneeId === null ? {} : assignedTo(ctx, assigneeId);
  const [due, overdue] = await Promise.all(
    (["DUE", "OVERDUE"] as const).map(async (status) => {
      const where = { AND: [own(ctx), whose, withStatus(status, dayOf(ctx.now))] };
      const query = queryOf(
        ["status", status],
        ...(assigneeId ? [["assigneeId", assigneeId] as [string, string]] : []),
      );
      return { count: await reader().obligation.count({ where }), list: "obligations", query };
    }),
  );
  return { due, overdue };
}

async function countSigning(ctx: Context) {
  const count = await reader().envelope.count({
    where: { AND: [own(ctx), { status: { in: outStatuses } }] },
  });
  return {
    count,
    list: "signatures",
    query: queryOf(...outStatuses.map((s): [string, string] => ["status", s])),
  };
}

async function nextObligations(ctx: Context) {
  const today = dayOf(ctx.now);
  const rows = await reader().obligation.findMany({
    where: {
      AND: [
        own(ctx),
        assignedTo(ctx, ctx.actor.id),
        { OR: [withStatus("OVERDUE", today), withStatus("DUE", today)] },
      ],
    },
    include: { contract: { select: { title: true } } },
    orderBy: [{ resolvedDate: "asc" }, { id: "asc" }],
    take: shown,
  });
  return rows.map((row) => ({ ...row, status: statusOf(row, ctx.now), contractTitle: row.contract.title }));
}

async function nextRenewals(ctx: Context) {
  const today = dayOf(ctx.now);
  const last = addDays(today, renewalDays);
  const rows = await select<{ count: number }>(
    `SELECT id, title, expires_at AS "expiresAt", auto_renews AS "autoRenews", (count(*) OVER ())::int AS count
     FROM contracts WHERE organization_id = $1 AND status IN ('EXECUTED', 'ACTIVE')
       AND expires_at BETWEEN $2::date AND $3::date
     ORDER BY expires_at, id LIMIT ${shown}`,
    [ctx.organizationId, today, last],
  );
  const query = queryOf(
    ...statuses(["EXECUTED", "ACTIVE"]),
    ...([
      ["expiresFrom", today],
      ["expiresTo", last],
    ] as [string, string][]),
    ...([
      ["sort", "expiresAt"],
      ["dir", "asc"],
    ] as [string, string][]),
  );
  const byWeek = await countByWeek(ctx, today, last);
  return { count: rows[0]?.count ?? 0, list: "contracts", query, byWeek, next: rows };
}

async function countByWeek(ctx: Context, today: string, last: string) {
  return select<{ week: number; ends: number; renews: number }>(
    `SELECT (expires_at - $2::date) / 7 AS week, (count(*) FILTER (WHERE NOT auto_renews))::int AS ends,
       (count(*) FILTER (WHERE auto_renews))::int AS renews
     FROM contracts WHERE organization_id = $1 AND status IN ('EXECUTED', 'ACTIVE')
       AND expires_at BETWEEN $2::date AND $3::date
     GROUP BY 1 ORDER BY 1`,
    [ctx.organizationId, today, last],
  );
}

async function countByStatus(ctx: Context) {
  const rows = await select<{ status: Status; count: number }>(
    "SELECT status, count(*)::int AS count FROM contracts WHERE organization_id = $1 GROUP BY 1",
    [ctx.organizationId],
  );
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  return contractStatuses.map((status) => ({
    ...{ status, count: counts.get(status) ?? 0 },
    ...{ list: "contracts", query: queryOf(["status", status]) },
  }));
}

async function sumByCurrency(ctx: Context) {
  const rows = await select<{ currency: string; valueCents: string; count: number }>(
    `SELECT value_currency AS currency, sum(value_cents)::text AS "valueCents", count(*)::int AS count
     FROM contracts WHERE organization_id = $1 AND value_cents IS NOT NULL AND status = ANY($2::text[])
     GROUP BY 1`,
    [ctx.organizationId, open],
  );
  const bySize = rows.sort((a, b) => unitsOf(b) - unitsOf(a) || a.currency.localeCompare(b.currency));
  return bySize.map((row) => {
    const query = queryOf(...statuses(open), ["valueCurrency", row.currency], ["sort", "valueCents"]);
    return { ...row, list: "contracts", query };
  });
}

/** In whole units: a million minor units are 10,000 dollars, but a million yen. */
function unitsOf({ currency, valueCents }: { currency: string; valueCents: string }): number {
  const digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return Number(valueCents) / 10 ** (digits.maximumFractionDigits ?? 2);
}
