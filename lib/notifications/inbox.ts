/** A member's inbox: their notifications, which of them are new, and which are done. */
import { reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { paged, pageOffset } from "#lib/core/wire.ts";
import { openStatus } from "#lib/obligations/lifecycle.ts";
import { stuckSql } from "#lib/signatures/turns.ts";
import { lastDayToAct, toAdmins } from "./items.ts";
import { type InboxQuery, inboxPageSize, type Marks, type Notification } from "./schema.ts";

const mine = (ctx: Context) => ({ ...own(ctx), userId: ctx.actor.id });

/** Whether a notification is obsolete: its subject is done, rescheduled, reassigned or archived. $3 is now. */
const isObsolete = `(CASE
  WHEN c.archived AND n.kind <> 'MENTION' THEN true
  WHEN o.id IS NOT NULL THEN o.state <> 'OPEN'
    OR n.kind <> 'ASSIGNMENT' AND o.resolved_date IS DISTINCT FROM n.date
    OR n.kind = 'ASSIGNMENT' AND o.assignee_id IS DISTINCT FROM n.user_id
  WHEN e.id IS NOT NULL THEN NOT ${stuckSql("$3")}
  WHEN n.kind = 'MENTION' THEN m.id IS NULL OR n.user_id <> ALL(m.mentioned_ids) OR EXISTS (
    SELECT 1 FROM comments t WHERE t.organization_id = m.organization_id AND t.id = m.thread_id AND t.resolved_at IS NOT NULL)
  WHEN n.kind = 'APPROVAL_REQUESTED' THEN NOT EXISTS (SELECT 1 FROM approvals_asked_now q
    WHERE q.organization_id = n.organization_id AND q.approval_id = n.subject_id AND q.user_id = n.user_id)
  WHEN n.kind = 'APPROVAL_ANSWERED' THEN EXISTS (SELECT 1 FROM approvals q
    WHERE q.organization_id = n.organization_id AND q.contract_id = n.contract_id AND q.id > n.subject_id)
  ELSE c.status NOT IN ('EXECUTED', 'ACTIVE') OR c.expires_at IS NULL
    OR n.date <> ${lastDayToAct("$3::timestamptz::date")} OR n.date < $3::timestamptz::date END)`;

const joined = `FROM notifications n
  JOIN contracts c ON c.organization_id = n.organization_id AND c.id = n.contract_id
  LEFT JOIN obligations o ON o.organization_id = n.organization_id AND o.id = n.subject_id
  LEFT JOIN comments m ON m.organization_id = n.organization_id AND m.id = n.subject_id
  LEFT JOIN approvals p ON p.organization_id = n.organization_id AND p.id = n.subject_id
  LEFT JOIN users a ON a.id = COALESCE(o.assignee_id, c.owner_id)
  LEFT JOIN envelopes e ON e.organization_id = n.organization_id AND e.id = n.subject_id
  WHERE n.organization_id = $1 AND n.user_id = $2`;

interface Row {
  id: string;
  kind: Notification["kind"];
  date: string;
  stage: number;
  createdAt: string;
  readAt: string | null;
  doneAt: string | null;
  contractId: string;
  contractTitle: string;
  counterpartyId: string | null;
  counterpartyName: string | null;
  obligationId: string | null;
  obligationTitle: string | null;
  assigneeName: string;
  state: string | null;
  resolvedDate: string | null;
  commentId: string | null;
  commenterName: string | null;
  approvalId: string | null;
  approvalBy: string | null;
  outcome: string | null;
  envelopeId: string | null;
  endsOn: string | null;
  renews: boolean;
  isOver: boolean;
}

export async function listInbox(ctx: Context, { view, page }: InboxQuery) {
  const where = { ...mine(ctx), doneAt: view === "done" ? { not: null } : null };
  const [rows, total] = await Promise.all([
    select<Row>(
      `SELECT n.id, n.kind, n.date, n.stage, n.created_at AS "createdAt", n.read_at AS "readAt", n.done_at AS "doneAt",
         c.id AS "contractId", c.title AS "contractTitle", c.expires_at AS "endsOn", c.auto_renews AS renews,
         (SELECT cp.id FROM counterparties cp WHERE cp.organization_id = $1 AND cp.id = c.counterparty_id) AS "counterpartyId",
         (SELECT cp.name FROM counterparties cp WHERE cp.organization_id = $1 AND cp.id = c.counterparty_id) AS "counterpartyName",
         a.name AS "assigneeName", o.id AS "obligationId", o.title AS "obligationTitle", o.state, o.resolved_date AS "resolvedDate",
         m.id AS "commentId", (SELECT u.name FROM users u WHERE u.id = m.author_id) AS "commenterName",
         p.id AS "approvalId", p.outcome, (SELECT u.name FROM users u WHERE u.id = CASE
           WHEN n.kind = 'APPROVAL_REQUESTED' THEN p.requested_by_id ELSE p.ended_by_id END) AS "approvalBy",
         e.id AS "envelopeId", ${isObsolete} AS "isOver"
       ${joined} AND n.done_at IS ${view === "done" ? "NOT NULL" : "NULL"}
       ORDER BY n.created_at DESC, n.date, n.id LIMIT ${inboxPageSize} OFFSET $4::bigint`,
      [...ofReader(ctx), pageOffset({ page, pageSize: inboxPageSize })],
    ),
    reader().notification.count({ where }),
  ]);
  const data = rows.map((row) => notificationFrom(row, ctx.now));
  return paged(data, { page, pageSize: inboxPageSize, total });
}

const ofReader = (ctx: Context) => [ctx.organizationId, ctx.actor.id, ctx.now.toISOString()];

function notificationFrom(row: Row, now: Date): Notification {
  const { id, kind, stage, createdAt, readAt, doneAt, envelopeId, renews, isOver: over } = row;
  const day = (date: string | null) => date && dayOf(new Date(date));
  return {
    ...{ id, kind, date: day(row.date)!, isForAdmins: kind === "ESCALATION" && stage === toAdmins },
    contract: { id: row.contractId, title: row.contractTitle },
    counterparty: row.counterpartyId ? { id: row.counterpartyId, name: row.counterpartyName! } : null,
    obligation: row.obligationId
      ? {
          id: row.obligationId,
          title: row.obligationTitle!,
          assigneeName: row.assigneeName,
          status: statusOf(row, now),
        }
      : null,
    comment: row.commentId ? { id: row.commentId, author: row.commenterName! } : null,
    approval: row.approvalId
      ? { id: row.approvalId, by: row.approvalBy ?? "", isApproved: row.outcome === "APPROVED" }
      : null,
    ...{ envelopeId, endsOn: kind === "RENEWAL" ? day(row.endsOn) : null, renews, isOver: over },
    ...{ createdAt, readAt, doneAt },
  };
}

function statusOf({ state, resolvedDate }: Row, now: Date) {
  type Status = NonNullable<Notification["obligation"]>["status"];
  return state === "OPEN"
    ? openStatus(resolvedDate ? dayOf(new Date(resolvedDate)) : null, dayOf(now))
    : (state as Status);
}

/** The number on the bell: unread notifications that are not obsolete, counted up to 100. */
export async function countUnread(ctx: Context): Promise<{ unread: number }> {
  const [row] = await select<{ unread: number }>(
    `SELECT count(*)::int AS unread FROM (
       SELECT 1 ${joined} AND n.read_at IS NULL AND n.done_at IS NULL AND NOT ${isObsolete} LIMIT 100) news`,
    ofReader(ctx),
  );
  return { unread: row?.unread ?? 0 };
}

const marks = {
  read: (now: Date) => ({ readAt: now }),
  unread: () => ({ readAt: null }),
  done: (now: Date) => ({ doneAt: now, readAt: now }),
  open: () => ({ doneAt: null }),
};

/** Marks some notifications, or all in the inbox. */
export async function markNotifications(ctx: Context, { ids, as }: Marks): Promise<{ unread: number }> {
  const which = ids ? { id: { in: ids } } : { doneAt: as === "open" ? { not: null } : null };
  await housekeeping((store) =>
    store.notification.updateMany({ where: { ...mine(ctx), ...which }, data: marks[as](ctx.now) }),
  );
  return countUnread(ctx);
}
