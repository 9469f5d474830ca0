/** What the inbox says of each notification. */
import {
  AlarmClockOff,
  AtSign,
  CalendarClock,
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
    hint: "30 and 7 days and a day before.",
    icon: CalendarClock,
  },
  OBLIGATION_OVERDUE: {
    label: "Obligations that are overdue",
    hint: "The day after they were due.",
    icon: AlarmClockOff,
  },
  RENEWAL: {
    label: "Contracts that end or renew",
    hint: "90, 30 and 7 days and a day before the last day to act.",
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
    hint: "What someone assigned to you, at once.",
    icon: UserRoundCheck,
  },
  MENTION: {
    label: "Mentions",
    hint: "Comments in which someone names you, at once.",
    icon: AtSign,
  },
};

export const channelWords: Record<Channel, string> = {
  EMAIL: "E-mail and inbox",
  APP: "Inbox only",
  OFF: "Off",
};

/** Where the thing itself is. */
export const addressOf = ({ envelopeId, contract }: Notification): `/${string}` =>
  envelopeId ? `/signatures/${envelopeId}` : `/contracts/${contract.id}`;

/** What the day means, before it is written. */
export function aboutDay({ kind, renews, isForAdmins, comment }: Notification): string {
  switch (kind) {
    case "OBLIGATION_DUE":
      return "Due on";
    case "OBLIGATION_OVERDUE":
      return "Was due on";
    case "ESCALATION":
      return isForAdmins ? "Told to owners and admins: was due on" : "Left overdue: was due on";
    case "RENEWAL":
      return `${renews ? "Renews" : "Ends"}: last day to act`;
    case "SIGNATURE_STUCK":
      return "Nothing has moved since";
    case "ASSIGNMENT":
      return "Assigned to you on";
    case "MENTION":
      return `${comment?.author ?? "Someone"} mentioned you on`;
  }
}
