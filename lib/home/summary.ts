/** What a member sees first: what needs them, what waits for others, and where the workspace stands. */
import { reader, select } from "#lib/change.ts";
import { type Context, own } from "#lib/context.ts";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { addDays, dayOf } from "#lib/dates.ts";
import { withStatus } from "#lib/obligations/list.ts";
import { statusOf } from "#lib/obligations/rows.ts";
import { requestsOf } from "./requests.ts";
import type { Home } from "./schema.ts";

/** How many of each a page shows before it links to the list. */
const shown = 10;

const renewalDays = 90;

/** Statuses in which a contract is worth something, or may be. */
const open = contractStatuses.filter((status) => !["EXPIRED", "TERMINATED", "CANCELLED"].includes(status));

type Status = (typeof contractStatuses)[number];

/** The part of a list's address after the question mark. */
const queryOf = (...pairs: [string, string][]) => new URLSearchParams(pairs).toString();
const statuses = (all: readonly Status[]) => all.map((status): [string, string] => ["status", status]);

export async function summarizeHome(ctx: Context): Promise<{ home: Home }> {
  const [due, overdue, next, requests, renewals, contractsByStatus, valueByCurrency] = await Promise.all([
    countMine(ctx, "DUE"),
    countMine(ctx, "OVERDUE"),
    nextObligations(ctx),
    requestsOf(ctx, shown),
    nextRenewals(ctx),
    countByStatus(ctx),
    sumByCurrency(ctx),
  ]);
  const { signatures, stuck, waiting } = requests;
  const mine = { signatures, due, overdue, next, stuck };
  return { home: { mine, waiting, renewals, contractsByStatus, valueByCurrency } as unknown as Home };
}

const ofMine = (ctx: Context) => ({ contract: { is: { ...own(ctx), ownerId: ctx.actor.id } } });

async function countMine(ctx: Context, status: "DUE" | "OVERDUE") {
  const where = { AND: [own(ctx), ofMine(ctx), withStatus(status, dayOf(ctx.now))] };
  const query = queryOf(["status", status], ["ownerId", ctx.actor.id]);
  return { count: await reader().obligation.count({ where }), list: "obligations", query };
}

async function nextObligations(ctx: Context) {
  const today = dayOf(ctx.now);
  const rows = await reader().obligation.findMany({
    where: { AND: [own(ctx), ofMine(ctx), { OR: [withStatus("OVERDUE", today), withStatus("DUE", today)] }] },
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
     GROUP BY 1 ORDER BY sum(value_cents) DESC, 1`,
    [ctx.organizationId, open],
  );
  return rows.map((row) => {
    const query = queryOf(...statuses(open), ["valueCurrency", row.currency], ["sort", "valueCents"]);
    return { ...row, list: "contracts", query };
  });
}
