/** Selects what a member has to be notified of on a day and has not been notified of yet. */
import type { Day } from "#lib/core/dates.ts";
import { addDays } from "#lib/core/dates.ts";
import type { Transaction } from "#lib/core/db.ts";
import { stuckSinceSql, stuckSql } from "#lib/signatures/turns.ts";
import type { NotificationKind } from "./catalogue.ts";

/** A member at the time of a notification. */
export interface Reader {
  organizationId: string;
  userId: string;
  role: string;
  /** In their time zone. */
  today: Day;
  now: Date;
  /** The number of quiet days that follow: what is due on them is included today. */
  quietDays: number;
  ownerAfterDays: number | null;
  adminsAfterDays: number | null;
}

export interface Item {
  kind: NotificationKind;
  subjectId: string;
  contractId: string;
  date: Day;
  /** How many days ahead, the level of an escalation, or the step of an approval. Each stage is sent at most once. */
  stage: number;
  /** When the subject was reassigned to the reader: earlier notifications of it count as new again. */
  reassignedAt?: Date | null;
}

/** How many days ahead, the nearest first: no time left, time to act, time to prepare. */
const obligationStages = [1, 7, 30];
const renewalStages = [1, 7, 30, 90];

const toContractOwner = 1;
export const toAdmins = 2;

/** The smallest stage that includes a day; `left` is SQL for the days left. */
const stageOf = (stages: number[], left: string) =>
  `CASE ${stages.map((stage) => `WHEN ${left} <= ${stage} THEN ${stage}`).join(" ")} END`;

/**
 * Whether $2 is notified of an obligation, a contract or a request: as its own person, or if that person is no longer a
 * member, as an owner of the workspace ($3: the reader is one). `who` joins the person's membership.
 */
const toReader = (person: string) => ({
  who: `LEFT JOIN members who ON who.organization_id = c.organization_id AND who.user_id = ${person}
    AND who.removed_at IS NULL`,
  // Never null, because it is also negated.
  isMine: "COALESCE(who.user_id = $2, $3::boolean)",
});

const ofAssignee = toReader("COALESCE(o.assignee_id, c.owner_id)");
const ofOwner = toReader("c.owner_id");
const ofSender = toReader("e.created_by_id");

/** Obligations that count: not proposals, unless someone has accepted them, and not archived ones. */
const openObligation = `FROM obligations o
  JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id`;
const isOpen = "o.organization_id = $1 AND NOT o.archived AND o.state = 'OPEN'";

/** The last day to act on a renewal: that of the first open notice, or the end of the term if it is earlier. */
export const lastDayToAct = (
  today: string,
) => `LEAST(c.expires_at, (SELECT min(o.resolved_date) FROM obligations o
  WHERE o.organization_id = c.organization_id AND o.contract_id = c.id AND o.state = 'OPEN'
    AND o.kind IN ('RENEWAL_NOTICE', 'TERMINATION_NOTICE') AND o.resolved_date >= ${today}))`;

const runs = "NOT c.archived AND c.status IN ('EXECUTED', 'ACTIVE')";

const daysLeft = (date: string) => `(${date} - $4::date - $5::int)`;

/**
 * Each query returns kind, subject, contract, date and stage. $1 to $9: workspace, member, is an owner, today, quiet
 * days, now, days until an escalation to the contract's owner, days until one to admins, is an owner or admin.
 */
const due = `SELECT 'OBLIGATION_DUE' AS kind, o.id AS subject, o.contract_id AS contract, o.resolved_date AS date,
    ${stageOf(obligationStages, daysLeft("o.resolved_date"))} AS stage
  ${openObligation} ${ofAssignee.who}
  WHERE ${isOpen} AND o.resolved_date >= $4::date
    AND o.resolved_date <= $4::date + $5::int + ${Math.max(...obligationStages)} AND ${ofAssignee.isMine}`;

const overdue = `SELECT 'OBLIGATION_OVERDUE', o.id, o.contract_id, o.resolved_date, 0
  ${openObligation} ${ofAssignee.who}
  WHERE ${isOpen} AND o.resolved_date < $4::date AND ${ofAssignee.isMine}`;

const renewal = `SELECT 'RENEWAL', t.id, t.id, t.date, ${stageOf(renewalStages, daysLeft("t.date"))}
  FROM (SELECT c.id, ${lastDayToAct("$4::date")} AS date FROM contracts c ${ofOwner.who}
    WHERE c.organization_id = $1 AND ${runs} AND c.expires_at >= $4::date
      AND ${ofOwner.isMine}) t
  WHERE t.date <= $4::date + $5::int + ${Math.max(...renewalStages)}`;

const stuckRequest = `SELECT 'SIGNATURE_STUCK', e.id, e.contract_id, ${stuckSinceSql("$6")}::date, 0
  FROM envelopes e JOIN contracts c ON c.organization_id = e.organization_id AND c.id = e.contract_id ${ofSender.who}
  WHERE e.organization_id = $1 AND NOT c.archived AND ${stuckSql("$6")} AND ${ofSender.isMine}`;

/** Escalates what an assignee leaves overdue. Someone notified as the assignee is not notified again. */
const escalatedToOwner = `SELECT 'ESCALATION', o.id, o.contract_id, o.resolved_date, ${toContractOwner}
  ${openObligation} ${ofOwner.who}
  WHERE ${isOpen} AND o.resolved_date <= $4::date - $7::int AND o.assignee_id <> c.owner_id
    AND o.assignee_id <> $2 AND ${ofOwner.isMine}`;

const escalatedToAdmins = `SELECT 'ESCALATION', o.id, o.contract_id, o.resolved_date, ${toAdmins}
  ${openObligation} ${ofAssignee.who}
  WHERE ${isOpen} AND o.resolved_date <= $4::date - $8::int AND $9::boolean
    AND (c.owner_id <> $2 OR $7::int IS NULL) AND NOT ${ofAssignee.isMine}`;

/** An approval request is notified at once (approvals.ts), and again after this many days of waiting. */
const approvalWaitsDays = 3;
export const remindedOfStep = 1_000;

const approvals = `SELECT 'APPROVAL_REQUESTED', a.approval_id, a.contract_id, a.step_since::date,
    a.step + CASE WHEN a.step_since::date <= $4::date - ${approvalWaitsDays} THEN ${remindedOfStep} ELSE 0 END
  FROM approvals_asked_now a WHERE a.organization_id = $1 AND a.user_id = $2`;

const all = [due, overdue, renewal, stuckRequest, escalatedToOwner, escalatedToAdmins, approvals];

/** Items without a notification of the same or a nearer stage; escalations and approvals need the same stage. */
const unsentSql = `SELECT kind, subject AS "subjectId", contract AS "contractId", date::text AS date, stage
  FROM (${all.join("\nUNION ALL ")}) item
  WHERE NOT EXISTS (SELECT 1 FROM notifications n WHERE n.organization_id = $1 AND n.user_id = $2
    AND n.kind = item.kind AND n.subject_id = item.subject AND n.date = item.date
    AND CASE WHEN item.kind IN ('ESCALATION', 'APPROVAL_REQUESTED') THEN n.stage = item.stage ELSE n.stage <= item.stage END)
  ORDER BY date, subject, kind, stage`;

/** Returns what the reader has not been notified of yet. */
export async function unsentItems(tx: Pick<Transaction, "$queryRawUnsafe">, reader: Reader): Promise<Item[]> {
  const { organizationId, userId, role, today, now, quietDays, ownerAfterDays, adminsAfterDays } = reader;
  return tx.$queryRawUnsafe<Item[]>(
    unsentSql,
    organizationId,
    userId,
    role === "owner",
    today,
    quietDays,
    now.toISOString(),
    ownerAfterDays,
    adminsAfterDays,
    role === "owner" || role === "admin",
  );
}

/** Whether an item cannot wait for the next digest: it is due, or its last day to act passes, before that. */
export const isUrgent = ({ kind, stage }: Item): boolean =>
  (kind === "OBLIGATION_DUE" || kind === "RENEWAL") && stage === Math.min(...obligationStages);

/** The days around today that may have items that cannot wait: time zones differ by a day, and a weekend has two. */
export const urgentFrom = (today: Day): Day => addDays(today, -1);
export const urgentTo = (today: Day): Day => addDays(today, 5);
