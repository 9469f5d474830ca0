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
    summary: "List the notifications in your inbox",
    description: "25 per page, newest first.",
    scopes: [],
    input: InboxQuery,
    output: Inbox,
    errors: [],
    run: listInbox,
  }),
  unread: operation({
    summary: "Count the unread notifications in your inbox",
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
    summary: "Get your notification settings",
    scopes: [],
    input: z.strictObject({}),
    output: NotificationSettings,
    errors: [],
    run: readSettings,
  }),
  saveSettings: operation({
    summary: "Update your notification settings",
    scopes: [],
    input: SettingsPatch,
    output: NotificationSettings,
    errors: [],
    run: saveSettings,
  }),
  defaults: operation({
    summary: "Get the workspace's notification defaults",
    scopes: ["members:read"],
    input: z.strictObject({}),
    output: NotificationDefaults,
    errors: [],
    run: readDefaults,
  }),
  saveDefaults: operation({
    summary: "Update the workspace's notification defaults",
    scopes: ["workspace:write"],
    input: DefaultsPatch,
    output: NotificationDefaults,
    errors: [],
    run: saveDefaults,
  }),
};

/** Operations of the link in an e-mail, which need no sign-in. */
export const unsubscription = {
  read: visitorOperation({
    summary: "Get which e-mails an unsubscribe link ends",
    input: UnsubscribeToken,
    output: Unsubscribing,
    errors: ["not_found"],
    run: (_, { token }) => findUnsubscribing(token),
  }),
  confirm: visitorOperation({
    summary: "Unsubscribe with a link from an e-mail",
    input: UnsubscribeToken,
    errors: ["not_found"],
    run: ({ now }, { token }) => unsubscribe(token, now),
  }),
};
