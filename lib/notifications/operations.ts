import { z } from "zod";
import { operation, visitorOperation } from "#lib/core/operation.ts";
import { countUnread, listInbox, markNotifications } from "./inbox.ts";
import {
  DefaultsPatch,
  Inbox,
  InboxQuery,
  Marks,
  NotificationDefaults,
  NotificationSettings,
  SettingsPatch,
  Unread,
  UnsubscribeToken,
  Unsubscribing,
} from "./schema.ts";
import { readDefaults, readSettings, saveDefaults, saveSettings } from "./settings.ts";
import { findUnsubscribing, unsubscribe } from "./unsubscribe.ts";

export const notifications = {
  list: operation({
    summary: "List what is in your inbox",
    description: "25 per page, newest first.",
    scopes: [],
    input: InboxQuery,
    output: Inbox,
    errors: [],
    run: listInbox,
  }),
  unread: operation({
    summary: "Get how much in your inbox is new",
    scopes: [],
    input: z.strictObject({}),
    output: Unread,
    errors: [],
    run: countUnread,
  }),
  mark: operation({
    summary: "Mark notifications as read, unread, done or open",
    scopes: [],
    input: Marks,
    output: Unread,
    errors: [],
    run: markNotifications,
  }),
  settings: operation({
    summary: "Get how you are told",
    scopes: [],
    input: z.strictObject({}),
    output: NotificationSettings,
    errors: [],
    run: readSettings,
  }),
  saveSettings: operation({
    summary: "Change how you are told",
    scopes: [],
    input: SettingsPatch,
    output: NotificationSettings,
    errors: [],
    run: saveSettings,
  }),
  defaults: operation({
    summary: "Get how the workspace's members are told by default",
    scopes: ["members:read"],
    input: z.strictObject({}),
    output: NotificationDefaults,
    errors: [],
    run: readDefaults,
  }),
  saveDefaults: operation({
    summary: "Change how the workspace's members are told by default",
    scopes: ["workspace:write"],
    input: DefaultsPatch,
    output: NotificationDefaults,
    errors: [],
    run: saveDefaults,
  }),
};

/** By the link in an e-mail, without signing in. */
export const unsubscription = {
  read: visitorOperation({
    summary: "Get which e-mails a link would end",
    input: UnsubscribeToken,
    output: Unsubscribing,
    errors: ["not_found"],
    run: (_, { token }) => findUnsubscribing(token),
  }),
  confirm: visitorOperation({
    summary: "End these e-mails",
    input: UnsubscribeToken,
    errors: ["not_found"],
    run: ({ now }, { token }) => unsubscribe(token, now),
  }),
};
