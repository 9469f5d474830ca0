import { z } from "zod";
import { choice, idIn, idOut, page, pageOf, timestamp } from "#lib/core/wire.ts";
import { obligationStatuses } from "#lib/obligations/lifecycle.ts";
import {
  channels,
  inboxViews,
  lastEscalationDay,
  type NotificationKind,
  notificationKinds,
} from "./catalogue.ts";

const perKind = <Value extends z.ZodType>(value: Value) =>
  Object.fromEntries(notificationKinds.map((kind) => [kind, value])) as Record<NotificationKind, Value>;

export const Notification = z.object({
  id: idOut("notification"),
  kind: z.enum(notificationKinds),
  date: z.string().meta({
    description: "The day it is about: when something is due, the last day to act, since when nothing moves",
  }),
  isForAdmins: z.boolean().meta({ description: "Of an escalation: it went past the contract's owner" }),
  contract: z.object({ id: idOut("contract"), title: z.string() }),
  counterparty: z.object({ id: idOut("counterparty"), name: z.string() }).nullable(),
  obligation: z
    .object({
      id: idOut("obligation"),
      title: z.string(),
      assigneeName: z.string(),
      status: z.enum(obligationStatuses),
    })
    .nullable(),
  comment: z.object({ id: idOut("comment"), author: z.string() }).nullable(),
  approval: z
    .object({ id: idOut("approval"), by: z.string(), isApproved: z.boolean() })
    .nullable()
    .meta({ description: "By whom it was requested, approved or sent back" }),
  envelopeId: idOut("envelope").nullable(),
  endsOn: z.string().nullable().meta({ description: "Of a renewal: the last day of the term" }),
  renews: z.boolean(),
  isOver: z.boolean().meta({ description: "What it tells of is done, or has another date now" }),
  createdAt: timestamp,
  readAt: timestamp.nullable(),
  doneAt: timestamp.nullable(),
});
export type Notification = z.output<typeof Notification>;

export const InboxQuery = z.strictObject({ view: choice(inboxViews).default("open"), page });
export type InboxQuery = z.output<typeof InboxQuery>;
export const inboxPageSize = 25;
export const Inbox = pageOf(Notification);

export const Unread = z.object({ unread: z.int() });

export const Marks = z.strictObject({
  ids: z
    .array(idIn("notification"))
    .max(100, "must be at most 100")
    .optional()
    .meta({ description: "Without ids: everything that is in the inbox" }),
  as: choice(["read", "unread", "done", "open"]),
});
export type Marks = z.output<typeof Marks>;

export const NotificationSettings = z.object({
  channels: z.object(perKind(z.enum(channels).nullable())).meta({
    description: "Null follows the workspace's defaults",
  }),
  defaults: z.object(perKind(z.enum(channels))),
  quietWeekends: z.boolean(),
  timeZone: z.string().meta({ description: "In which the digest comes at 8:00" }),
  sendsMail: z
    .boolean()
    .meta({ description: "False: this server sends no e-mail, and the inbox has it all" }),
});
export type NotificationSettings = z.output<typeof NotificationSettings>;

export const SettingsPatch = z.strictObject({
  channels: z.strictObject(perKind(choice(channels).nullable().optional())).optional(),
  quietWeekends: z.boolean().optional(),
});
export type SettingsPatch = z.output<typeof SettingsPatch>;

export const NotificationDefaults = z.object({
  channels: z.object(perKind(z.enum(channels))),
  ownerAfterDays: z.int().nullable(),
  adminsAfterDays: z.int().nullable(),
});
export type NotificationDefaults = z.output<typeof NotificationDefaults>;

const days = z
  .number({ error: "must be a whole number of days" })
  .int("must be a whole number of days")
  .min(1, "must be at least 1")
  .max(lastEscalationDay, `must be at most ${lastEscalationDay}`);

export const DefaultsPatch = z.strictObject({
  channels: z.strictObject(perKind(choice(channels).optional())).optional(),
  ownerAfterDays: days.nullable().optional().meta({ description: "Null: the contract's owner is not told" }),
  adminsAfterDays: days.nullable().optional().meta({ description: "Null: owners and admins are not told" }),
});
export type DefaultsPatch = z.output<typeof DefaultsPatch>;

/** What an unsubscribe link can end: the daily digest, or notifications of assignments, mentions or approvals. */
export const unsubscribables = ["digest", "assignments", "mentions", "approvals"] as const;
export type Unsubscribable = (typeof unsubscribables)[number];

export const UnsubscribeToken = z.strictObject({ token: z.string().max(500) });
export const Unsubscribing = z.object({
  workspaceName: z.string(),
  email: z.string(),
  what: z.enum(unsubscribables),
  isOver: z.boolean().meta({ description: "No such e-mails are sent any more" }),
});
export type Unsubscribing = z.output<typeof Unsubscribing>;

/** The kinds of notifications in such e-mails. */
export const kindsOf: Record<Unsubscribable, readonly NotificationKind[]> = {
  digest: notificationKinds.filter((kind) => !/^(ASSIGNMENT|MENTION|APPROVAL_.*)$/.test(kind)),
  assignments: ["ASSIGNMENT"],
  mentions: ["MENTION"],
  approvals: ["APPROVAL_REQUESTED", "APPROVAL_ANSWERED"],
};
