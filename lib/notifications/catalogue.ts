/** What members are told of, by which channel, and where they find it. Without a parser: pages show it. */

/** What members are told of. All but assignments and mentions come with the daily digest. */
export const notificationKinds = [
  "OBLIGATION_DUE",
  "OBLIGATION_OVERDUE",
  "RENEWAL",
  "SIGNATURE_STUCK",
  "ESCALATION",
  "ASSIGNMENT",
  "MENTION",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** EMAIL: by e-mail and in the inbox. APP: in the inbox alone. */
export const channels = ["EMAIL", "APP", "OFF"] as const;
export type Channel = (typeof channels)[number];
export type Channels = Record<NotificationKind, Channel>;

export const firstChannels = Object.fromEntries(notificationKinds.map((kind) => [kind, "EMAIL"])) as Channels;

/** After how many days others hear of what is overdue: the contract's owner, then owners and admins. */
export const firstEscalation = { ownerAfterDays: 3, adminsAfterDays: 7 };

/** A year later no one is told any more. */
export const lastEscalationDay = 365;

export const inboxViews = ["open", "done"] as const;
