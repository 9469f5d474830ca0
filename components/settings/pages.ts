/**
 * The settings pages. Their icons are in another file: every page loads this list, but few show the icons.
 */
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

export interface SettingsPage {
  label: string;
  href: `/settings/${"workspace" | "members" | "approvals" | "custom-fields" | "plan" | "audit" | "assistants" | "api-keys" | "webhooks" | "profile" | "notifications" | "sessions"}`;
  /** The second key of its shortcut, after g. */
  key?: string;
  scope: Scope | PeopleScope | null;
  /** What the page contains. */
  about: string;
  group: "Workspace" | "Developers" | "You";
}

export const settingsPages: SettingsPage[] = [
  {
    label: "Workspace",
    href: "/settings/workspace",
    scope: "members:read",
    about: "Name and currency",
    group: "Workspace",
  },
  {
    label: "Members",
    href: "/settings/members",
    key: "m",
    scope: "members:read",
    about: "Who belongs to it, roles and invitations",
    group: "Workspace",
  },
  {
    label: "Approvals",
    href: "/settings/approvals",
    scope: "members:read",
    about: "Which contracts need whose approval",
    group: "Workspace",
  },
  {
    label: "Custom fields",
    href: "/settings/custom-fields",
    scope: "contracts:read",
    about: "Your own fields, in addition to the built-in ones",
    group: "Workspace",
  },
  {
    label: "Plan",
    href: "/settings/plan",
    scope: "members:read",
    about: "Seats and subscription",
    group: "Workspace",
  },
  {
    label: "Audit log",
    href: "/settings/audit",
    key: "a",
    scope: "audit:read",
    about: "Everything that happened, by whom",
    group: "Workspace",
  },
  {
    label: "Connected assistants",
    href: "/settings/assistants",
    scope: null,
    about: "Programs that act for members",
    group: "Workspace",
  },
  {
    label: "API keys",
    href: "/settings/api-keys",
    key: "k",
    scope: "keys:read",
    about: "Access for other software",
    group: "Developers",
  },
  {
    label: "Webhooks",
    href: "/settings/webhooks",
    key: "w",
    scope: "webhooks:read",
    about: "Notify other software of events",
    group: "Developers",
  },
  {
    label: "Profile",
    href: "/settings/profile",
    scope: null,
    about: "Your name and password",
    group: "You",
  },
  {
    label: "Notifications",
    href: "/settings/notifications",
    key: "n",
    scope: null,
    about: "What you are notified of, by e-mail and in the inbox",
    group: "You",
  },
  {
    label: "Sessions",
    href: "/settings/sessions",
    scope: null,
    about: "Where you are signed in",
    group: "You",
  },
];
