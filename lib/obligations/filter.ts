/** The filters of obligation lists as SQL, and exact totals at a cost that hardly grows with the workspace. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { addDays, type Day, dayOf } from "#lib/core/dates.ts";
import { containsPattern } from "#lib/core/wire.ts";
import { dueWithinDays, type ObligationStatus } from "./lifecycle.ts";
import type { ObligationQuery } from "./schema.ts";

export type ObligationFilter = Partial<Omit<ObligationQuery, "page">>;

interface FilterSql {
  /** The statement's WITH clause. */
  with: string;
  /** What to read, as o, with the conditions: each row's id and date; `$1` is the workspace. */
  from: string;
  values: unknown[];
  /** The total, as an expression. */
  total: string;
}

/** The day under which counters keep obligations without a date; it is outside every range. */
const never = "'infinity'::date";

/** A condition that applies to rows and counters, which name the day, and a missing day, differently. */
type Counted = (columns: { day: string; isUndated: string }) => string;

const ofRows = { day: "o.resolved_date", isUndated: "o.resolved_date IS NULL" };
const ofCounters = { day: "o.day", isUndated: `o.day = ${never}` };

/** If a statement has several filters, each gets the values of the preceding ones. */
export function filterOf(
  ctx: Context,
  input: ObligationFilter,
  values: unknown[] = [ctx.organizationId],
): FilterSql {
  const place = (value: unknown) => `$${values.push(value)}`;
  const counted = countedConditions(ctx, input, place);
  const ofKinds = input.kind ? [`o.kind = ANY(${place(input.kind)}::text[])`] : [];
  const others = otherConditions(input, place);
  const where = [
    ...["o.organization_id = $1", ...counted.map((of) => of(ofRows))],
    ...[...ofKinds, ...others],
  ].join(" AND ");
  const found = input.assigneeId
    ? { with: assigned(where, place(input.assigneeId)), from: "theirs o" }
    : { with: "", from: `obligations o WHERE ${where}` };
  const counters = others.length > 0 || input.assigneeId ? null : countersOf(input);
  const total = counters
    ? sumOf(counters, [...counted.map((of) => of(ofCounters)), ...ofKinds])
    : `(SELECT count(*)::int FROM ${found.from})`;
  return { ...found, values, total };
}

/** The counters that cover all of a filter. */
function countersOf({ kind, status, dueFrom, dueTo }: ObligationFilter): string | null {
  if (!kind) return "obligation_day_counts_now";
  return status || dueFrom || dueTo ? null : "obligation_kind_counts_now";
}

const sumOf = (counters: string, conditions: string[]) =>
  `(SELECT COALESCE(sum(o.count), 0)::int FROM ${counters} o
    WHERE ${["o.organization_id = $1", ...conditions].join(" AND ")})`;

/** How many obligations of a list are due, and how many overdue, in one statement. */
export async function countDue(ctx: Context, filter: ObligationFilter = {}) {
  const values: unknown[] = [ctx.organizationId];
  const counted = (status: ObligationStatus) => {
    const { with: before, total } = filterOf(ctx, { ...filter, status: [status] }, values);
    return `(${before} SELECT ${total})`;
  };
  const [row] = await select<{ due: number; overdue: number }>(
    `SELECT ${counted("DUE")} AS due, ${counted("OVERDUE")} AS overdue`,
    values,
  );
  return row!;
}

/** By due date. */
export const soonestFirst = "ORDER BY o.resolved_date, o.id";

type BindParameter = (value: unknown) => string;

function countedConditions(ctx: Context, input: ObligationFilter, place: BindParameter): Counted[] {
  const all: Counted[] = [];
  const archived = input.archived ?? (input.contractId ? "any" : "false");
  if (archived !== "any") all.push(() => (archived === "true" ? "o.archived" : "NOT o.archived"));
  if (input.status) {
    const any = withStatus(input.status, dayOf(ctx.now), place);
    all.push((columns) => `(${any.map((of) => of(columns)).join(" OR ") || "false"})`);
  } else all.push(() => "o.state <> 'SUGGESTED'");
  const { dueFrom, dueTo } = input;
  if (dueFrom) all.push(onDays(place, dayOf(dueFrom), null));
  if (dueTo) all.push(onDays(place, null, dayOf(dueTo)));
  return all;
}

/** Both ends included; null for an open end. */
function onDays(place: BindParameter, from: Day | null, to: Day | null): Counted {
  const ends = [...(from ? [`>= ${place(from)}::date`] : []), to ? `<= ${place(to)}::date` : `< ${never}`];
  return ({ day }) => ends.map((end) => `${day} ${end}`).join(" AND ");
}

/** openStatus of lifecycle.ts as conditions: the same days, so that a list and its rows agree. */
function withStatus(statuses: ObligationStatus[], today: Day, place: BindParameter): Counted[] {
  const open =
    (on: Counted): Counted =>
    (columns) =>
      `(o.state = 'OPEN' AND ${on(columns)})`;
  const others = statuses.filter((status) => status !== "PENDING_ANCHOR" && !dated.includes(status));
  return [
    ...spansOf(statuses, today).map(({ from, to }) => open(onDays(place, from, to))),
    ...(statuses.includes("PENDING_ANCHOR") ? [open(({ isUndated }) => isUndated)] : []),
    ...(others.length > 0 ? [isState(place(others))] : []),
  ];
}

const isState =
  (states: string): Counted =>
  () =>
    `o.state = ANY(${states}::text[])`;

/** The statuses of open obligations with a date, in order of the dates. */
const dated: ObligationStatus[] = ["OVERDUE", "DUE", "UPCOMING"];

/** The due dates of obligations with these statuses, as few ranges as possible: an index reads each at once. */
function spansOf(statuses: ObligationStatus[], today: Day): { from: Day | null; to: Day | null }[] {
  const lastDue = addDays(today, dueWithinDays);
  const ends = [null, today, addDays(lastDue, 1), null];
  const spans: { from: Day | null; to: Day | null }[] = [];
  for (const [at, status] of dated.entries()) {
    if (!statuses.includes(status)) continue;
    const next = ends[at + 1] ?? null;
    const to = next && addDays(next, -1);
    const isNext = at > 0 && statuses.includes(dated[at - 1]!);
    if (isNext) spans.at(-1)!.to = to;
    else spans.push({ from: ends[at] ?? null, to });
  }
  return spans;
}

function otherConditions(input: ObligationFilter, place: BindParameter): string[] {
  const ofContracts = (column: string, id: string) =>
    `o.contract_id IN (SELECT id FROM contracts WHERE organization_id = $1 AND ${column} = ${place(id)})`;
  return [
    ...(input.q ? [`o.title ILIKE ${place(containsPattern(input.q))}`] : []),
    ...(input.contractId ? [`o.contract_id = ${place(input.contractId)}`] : []),
    ...(input.counterpartyId ? [ofContracts("counterparty_id", input.counterpartyId)] : []),
    ...(input.ownerId ? [ownedBy(place(input.ownerId))] : []),
  ];
}

/**
 * The database copies the contract's owner into obligations; where it has not done so yet (owners.ts), read
 * contracts.
 */
const noted = (member: string) => `o.owner_id = ${member}`;
const notNoted = (member: string) =>
  `o.owner_id IS NULL
     AND o.contract_id IN (SELECT id FROM contracts WHERE organization_id = $1 AND owner_id = ${member})`;

const ownedBy = (member: string) => `(${noted(member)} OR (${notNoted(member)}))`;

/**
 * Obligations shown with this assignee: assigned to the member, or unassigned in a contract the member owns. Each
 * part has an index, and is read once for everything the statement asks.
 */
const assigned = (where: string, member: string) =>
  `WITH theirs AS MATERIALIZED (${[
    `o.assignee_id = ${member}`,
    `o.assignee_id IS NULL AND ${noted(member)}`,
    `o.assignee_id IS NULL AND ${notNoted(member)}`,
  ]
    .map((theirs) => `SELECT o.id, o.resolved_date FROM obligations o WHERE ${where} AND ${theirs}`)
    .join(" UNION ALL ")})`;
