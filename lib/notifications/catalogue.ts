/** The kinds and channels of notifications. No zod, since pages import it. */

/**
 * The kinds of notifications. All but assignments, mentions and answers to approval requests are in the daily
 * digest.
 */
export const notificationKinds = [
  "OBLIGATION_DUE",
  "OBLIGATION_OVERDUE",
  "RENEWAL",
  "SIGNATURE_STUCK",
  "ESCALATION",
  "ASSIGNMENT",
  "MENTION",
  "APPROVAL_REQUESTED",
  "APPROVAL_ANSWERED",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** EMAIL: by e-mail and in the inbox. APP: only in the inbox. */
export const channels = ["EMAIL", "APP", "OFF"] as const;
export type Channel = (typeof channels)[number];
export type Channels = Record<NotificationKind, Channel>;

export const firstChannels = Object.fromEntries(notificationKinds.map((kind) => [kind, "EMAIL"])) as Channels;

/** After how many days overdue obligations are escalated: to the contract's owner, then to owners and admins. */
export const defaultEscalation = { ownerAfterDays: 3, adminsAfterDays: 7 };

/** After a year there are no further notifications. */
export const lastEscalationDay = 365;

export const inboxViews = ["open", "done"] as const;
