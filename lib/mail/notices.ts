/** The notification e-mails: the daily digest, what cannot wait for it, and what others assigned, wrote or asked. */
import { z } from "zod";
import { type EmailContent, quoted } from "./content.ts";

const Section = z.object({
  title: z.string(),
  lines: z.array(z.object({ what: z.string(), detail: z.string(), url: z.url() })),
  /** How many more items there are than lines. */
  more: z.int(),
});
export type NoticeSection = z.output<typeof Section>;

export const Notice = z.object({
  workspaceName: z.string(),
  /** digest: once a day. urgent: what cannot wait for the next digest. The others: what other members did. */
  what: z.enum(["digest", "urgent", "assignments", "mentions", "approvals"]),
  day: z.string(),
  sections: z.array(Section),
  stillOpen: z.object({ overdue: z.int(), due: z.int(), approvals: z.int().default(0) }).nullable(),
  inboxUrl: z.url(),
  settingsUrl: z.url(),
  /** A page for people, and an address for mail programs (RFC 8058). */
  unsubscribe: z.object({ page: z.url(), address: z.url() }),
});
type Notice = z.output<typeof Notice>;

const countOf = ({ lines, more }: NoticeSection) => lines.length + more;

function subjectOf({ what, workspaceName, sections }: Notice): string {
  const workspace = quoted(workspaceName);
  const count = sections.reduce((sum, section) => sum + countOf(section), 0);
  const things = count === 1 ? "1 obligation" : `${count} obligations`;
  if (what === "assignments") return `${things} assigned to you in ${workspace}`;
  if (what === "mentions") return `You were mentioned in ${workspace}`;
  if (what === "approvals") {
    const isAsked = sections[0]?.title.startsWith("Waiting");
    return isAsked
      ? `Your approval is needed in ${workspace}`
      : `Your approval request was answered in ${workspace}`;
  }
  if (what === "urgent") return `Due today or tomorrow in ${workspace}`;
  const parts = sections.map(
    (section) => `${countOf(section)} ${shortTitles[section.title] ?? section.title.toLowerCase()}`,
  );
  return `${workspace}: ${parts.join(", ")}`;
}

const shortTitles: Record<string, string> = {
  "Overdue and assigned to others": "escalated",
  "Ends or renews": "to end or renew",
  "Signature requests that are stuck": "stuck",
};

function introOf({ what, workspaceName, day }: Notice): string {
  const workspace = quoted(workspaceName);
  if (what === "assignments") return `Assigned to you in ${workspace} since the last e-mail:`;
  if (what === "mentions") return `Someone mentioned you in a comment in ${workspace}.`;
  if (what === "approvals") return `Approval updates in ${workspace} since the last e-mail:`;
  if (what === "urgent")
    return `This came up after today's digest of ${workspace}, and cannot wait for tomorrow's.`;
  return `What is new for you in ${workspace} on ${day}.`;
}

function stillOpenOf({ stillOpen }: Notice): string[] {
  if (!stillOpen) return [];
  const { overdue, due, approvals } = stillOpen;
  const waiting = approvals === 1 ? "1 contract waits" : `${approvals} contracts wait`;
  return [
    ...(overdue + due > 0
      ? [`In all, ${overdue} of your obligations are overdue and ${due} are due within 30 days.`]
      : []),
    ...(approvals > 0 ? [`${waiting} for your approval.`] : []),
  ];
}

const endable: Record<Notice["what"], string> = {
  digest: "what is due",
  urgent: "what is due",
  assignments: "what is assigned to you",
  mentions: "mentions",
  approvals: "approvals",
};

export function notice(data: Notice): EmailContent {
  const { sections, inboxUrl, settingsUrl, unsubscribe, what } = data;
  return {
    subject: subjectOf(data),
    paragraphs: [introOf(data)],
    sections: sections.map(({ title, lines, more }) => ({
      title,
      lines: lines.map((line) => ({ what: quoted(line.what), detail: quoted(line.detail), url: line.url })),
      more: more > 0 ? `and ${more} more in your inbox` : null,
    })),
    closing: stillOpenOf(data),
    action: { label: "Open your inbox", url: inboxUrl },
    links: [
      { label: "Notification settings", url: settingsUrl },
      { label: `Unsubscribe from e-mails about ${endable[what]}`, url: unsubscribe.page },
    ],
    headers: {
      "List-Unsubscribe": `<${unsubscribe.address}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}
