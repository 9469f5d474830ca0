/** The lines of notification e-mails: names, days and links, read when the e-mail is queued. */
import { type Day, daysBetween } from "#lib/core/dates.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import type { NoticeSection } from "#lib/mail/notices.ts";
import type { NotificationKind } from "./catalogue.ts";
import { type Item, toAdmins } from "./items.ts";

/** The limit of lines in a section; the inbox has the rest. */
const maxLines = 20;

interface Named {
  id: string;
  title: string | null;
  contractTitle: string;
  counterpartyName: string | null;
  expiresAt: string | null;
  autoRenews: boolean;
  assigneeName: string | null;
  commenterName: string | null;
  requesterName: string | null;
  answererName: string | null;
  outcome: string | null;
}

const titles: Record<NotificationKind, string> = {
  ESCALATION: "Overdue and assigned to others",
  OBLIGATION_OVERDUE: "Overdue",
  OBLIGATION_DUE: "Due soon",
  RENEWAL: "Ends or renews",
  SIGNATURE_STUCK: "Signature requests that are stuck",
  ASSIGNMENT: "Assigned to you",
  MENTION: "You were mentioned",
  APPROVAL_REQUESTED: "Waiting for your approval",
  APPROVAL_ANSWERED: "Approvals that you requested",
};

const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
export const dayInWords = (day: string) => days.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));

/** Returns the sections of an e-mail, the most urgent first. */
export async function sectionsOf(
  tx: Pick<Transaction, "$queryRawUnsafe">,
  { organizationId, today }: { organizationId: string; today: Day },
  items: Item[],
): Promise<NoticeSection[]> {
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  const sections: NoticeSection[] = [];
  for (const kind of Object.keys(titles) as NotificationKind[]) {
    const all = byKind.get(kind) ?? [];
    if (all.length === 0) continue;
    const shown = all.slice(0, maxLines);
    const names = await namesOf(tx, organizationId, shown);
    const lines = shown.flatMap((item) => {
      const named = names.get(item.subjectId);
      return named ? [lineOf(item, named, today)] : [];
    });
    sections.push({ title: titles[kind], lines, more: all.length - shown.length });
  }
  return sections;
}

async function namesOf(
  tx: Pick<Transaction, "$queryRawUnsafe">,
  organizationId: string,
  items: Item[],
): Promise<Map<string, Named>> {
  const rows = await tx.$queryRawUnsafe<Named[]>(
    `SELECT item.subject AS id, o.title, c.title AS "contractTitle", cp.name AS "counterpartyName",
       c.expires_at::text AS "expiresAt", c.auto_renews AS "autoRenews", a.name AS "assigneeName",
       author.name AS "commenterName", requester.name AS "requesterName", answerer.name AS "answererName", p.outcome
     FROM unnest($2::text[], $3::text[]) AS item (subject, contract)
     JOIN contracts c ON c.organization_id = $1 AND c.id = item.contract
     LEFT JOIN counterparties cp ON cp.organization_id = $1 AND cp.id = c.counterparty_id
     LEFT JOIN obligations o ON o.organization_id = $1 AND o.id = item.subject
     LEFT JOIN users a ON a.id = COALESCE(o.assignee_id, c.owner_id)
     LEFT JOIN comments m ON m.organization_id = $1 AND m.id = item.subject
     LEFT JOIN users author ON author.id = m.author_id
     LEFT JOIN approvals p ON p.organization_id = $1 AND p.id = item.subject
     LEFT JOIN users requester ON requester.id = p.requested_by_id
     LEFT JOIN users answerer ON answerer.id = p.ended_by_id`,
    organizationId,
    items.map(({ subjectId }) => subjectId),
    items.map(({ contractId }) => contractId),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function lineOf(item: Item, named: Named, today: Day): NoticeSection["lines"][number] {
  const { contractTitle, counterpartyName, title } = named;
  const whose = counterpartyName ? `${contractTitle} · ${counterpartyName}` : contractTitle;
  const path =
    item.kind === "SIGNATURE_STUCK" ? `/signatures/${item.subjectId}` : `/contracts/${item.contractId}`;
  return {
    what: title ?? contractTitle,
    detail: [title ? whose : counterpartyName, whenOf(item, named, today)]
      .filter((part) => part !== null)
      .join(": "),
    url: `${settings().BASE_URL}${path}`,
  };
}

function whenOf({ kind, date, stage }: Item, named: Named, today: Day): string {
  const day = dayInWords(date);
  switch (kind) {
    case "OBLIGATION_DUE":
      return `due ${nearness(today, date)}${day}`;
    case "OBLIGATION_OVERDUE":
      return `was due on ${day}`;
    case "ESCALATION":
      return `was due on ${day}, assigned to ${named.assigneeName}${stage === toAdmins ? "; you are notified as an admin" : ""}`;
    case "RENEWAL": {
      const end = `${named.autoRenews ? "renews after" : "ends on"} ${dayInWords(named.expiresAt ?? date)}`;
      return `${end}, last day to act: ${nearness(today, date)}${day}`;
    }
    case "SIGNATURE_STUCK":
      return `nothing has moved since ${day}`;
    case "ASSIGNMENT":
      return `assigned on ${day}`;
    case "MENTION":
      return `${named.commenterName} mentioned you in a comment`;
    case "APPROVAL_REQUESTED":
      return `${named.requesterName} asked on ${day}`;
    case "APPROVAL_ANSWERED":
      return `${named.outcome === "APPROVED" ? "approved" : `sent back by ${named.answererName}`} on ${day}`;
  }
}

function nearness(today: Day, day: Day): string {
  const left = daysBetween(today, day);
  return left === 0 ? "today, " : left === 1 ? "tomorrow, " : "on ";
}
