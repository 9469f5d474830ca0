/** The inbox's texts and icons for notifications. */
import {
  AlarmClockOff,
  AtSign,
  CalendarClock,
  CheckCheck,
  ListChecks,
  type LucideIcon,
  Megaphone,
  PenLine,
  RefreshCw,
  UserRoundCheck,
} from "lucide-react";
import type { Channel, NotificationKind } from "#lib/notifications/catalogue.ts";
import type { Notification } from "#lib/notifications/schema.ts";

export const kindWords: Record<NotificationKind, { label: string; hint: string; icon: LucideIcon }> = {
  OBLIGATION_DUE: {
    label: "Obligations that fall due",
    hint: "30 days, 7 days and 1 day before.",
    icon: CalendarClock,
  },
  OBLIGATION_OVERDUE: {
    label: "Obligations that are overdue",
    hint: "The day after they were due.",
    icon: AlarmClockOff,
  },
  RENEWAL: {
    label: "Contracts that end or renew",
    hint: "90, 30 and 7 days and 1 day before the last day to act.",
    icon: RefreshCw,
  },
  SIGNATURE_STUCK: {
    label: "Signature requests that are stuck",
    hint: "Past their deadline, not sealed, or a week without activity.",
    icon: PenLine,
  },
  ESCALATION: {
    label: "Escalations",
    hint: "What others have left overdue.",
    icon: Megaphone,
  },
  ASSIGNMENT: {
    label: "Assignments",
    hint: "Immediately, when something is assigned to you.",
    icon: UserRoundCheck,
  },
  MENTION: {
    label: "Mentions",
    hint: "Immediately, when someone mentions you.",
    icon: AtSign,
  },
  APPROVAL_REQUESTED: {
    label: "Approvals waiting for you",
    hint: "Immediately, and again after three days.",
    icon: ListChecks,
  },
  APPROVAL_ANSWERED: {
    label: "Answers to your requests for approval",
    hint: "Immediately, when approved or sent back.",
    icon: CheckCheck,
  },
};

export const channelWords: Record<Channel, string> = {
  EMAIL: "E-mail and inbox",
  APP: "Inbox only",
  OFF: "Off",
};

/** Returns the address of what a notification is about. */
export const addressOf = ({ envelopeId, contract }: Notification): `/${string}` =>
  envelopeId ? `/signatures/${envelopeId}` : `/contracts/${contract.id}`;

/** Returns the words before a notification's date, which say what the date means. */
export function aboutDay({ kind, renews, isForAdmins, comment, approval }: Notification): string {
  switch (kind) {
    case "OBLIGATION_DUE":
      return "Due on";
    case "OBLIGATION_OVERDUE":
      return "Was due on";
    case "ESCALATION":
      return isForAdmins ? "Escalated to owners and admins: was due on" : "Left overdue: was due on";
    case "RENEWAL":
      return `${renews ? "Renews" : "Ends"}: last day to act`;
    case "SIGNATURE_STUCK":
      return "Nothing has moved since";
    case "ASSIGNMENT":
      return "Assigned to you on";
    case "MENTION":
      return `${comment?.author ?? "Someone"} mentioned you on`;
    case "APPROVAL_REQUESTED":
      return `${approval?.by ?? "Someone"} asked for your approval on`;
    case "APPROVAL_ANSWERED":
      return `${approval?.isApproved ? "Approved" : "Sent back"} by ${approval?.by || "someone"} on`;
  }
}
