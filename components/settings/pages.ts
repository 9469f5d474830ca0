/** The pages of the settings, and what can be done there from everywhere. */
import {
  Bell,
  Bot,
  Building,
  CreditCard,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  TextCursorInput,
  UserPlus,
  UserRound,
  Users,
  Webhook,
} from "lucide-react";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

export interface SettingsPage {
  label: string;
  href: `/settings/${string}`;
  icon: LucideIcon;
  /** Pressed after g. */
  key?: string;
  scope: Scope | PeopleScope | null;
  /** What is there, for who looks for it. */
  about: string;
  group: "Workspace" | "Developers" | "You";
}

export const settingsPages: SettingsPage[] = [
  {
    label: "Workspace",
    href: "/settings/workspace",
    icon: Building,
    scope: "members:read",
    about: "Name and currency",
    group: "Workspace",
  },
  {
    label: "Members",
    href: "/settings/members",
    icon: Users,
    key: "m",
    scope: "members:read",
    about: "Who belongs to it, roles and invitations",
    group: "Workspace",
  },
  {
    label: "Approvals",
    href: "/settings/approvals",
    icon: ListChecks,
    scope: "members:read",
    about: "Which contracts need whose approval",
    group: "Workspace",
  },
  {
    label: "Custom fields",
    href: "/settings/custom-fields",
    icon: TextCursorInput,
    scope: "contracts:read",
    about: "What contracts have beside the built-in fields",
    group: "Workspace",
  },
  {
    label: "Plan",
    href: "/settings/plan",
    icon: CreditCard,
    scope: "members:read",
    about: "Seats and subscription",
    group: "Workspace",
  },
  {
    label: "Audit log",
    href: "/settings/audit",
    icon: ScrollText,
    key: "a",
    scope: "audit:read",
    about: "Everything that happened, by whom",
    group: "Workspace",
  },
  {
    label: "Connected assistants",
    href: "/settings/assistants",
    icon: Bot,
    scope: null,
    about: "Programs that act for members",
    group: "Workspace",
  },
  {
    label: "API keys",
    href: "/settings/api-keys",
    icon: KeyRound,
    key: "k",
    scope: "keys:read",
    about: "Access for other software",
    group: "Developers",
  },
  {
    label: "Webhooks",
    href: "/settings/webhooks",
    icon: Webhook,
    key: "w",
    scope: "webhooks:read",
    about: "Notify other software of events",
    group: "Developers",
  },
  {
    label: "Profile",
    href: "/settings/profile",
    icon: UserRound,
    scope: null,
    about: "Your name and password",
    group: "You",
  },
  {
    label: "Notifications",
    href: "/settings/notifications",
    icon: Bell,
    key: "n",
    scope: null,
    about: "What you are told, by e-mail and in the inbox",
    group: "You",
  },
  {
    label: "Sessions",
    href: "/settings/sessions",
    icon: MonitorSmartphone,
    scope: null,
    about: "Where you are signed in",
    group: "You",
  },
];

/** Something to do, that opens by the address of its page. */
export interface SettingsAction {
  label: string;
  icon: LucideIcon;
  href: string;
  scope: Scope | PeopleScope;
}

/** Each opens its dialog by the page's address. */
export const settingsActions: SettingsAction[] = [
  { label: "Invite someone", icon: UserPlus, href: "/settings/members?invite=true", scope: "members:write" },
  { label: "Create an API key", icon: KeyRound, href: "/settings/api-keys?new=true", scope: "keys:write" },
  {
    label: "Add a custom field",
    icon: TextCursorInput,
    href: "/settings/custom-fields?add=true",
    scope: "workspace:write",
  },
  {
    label: "Add a webhook endpoint",
    icon: Webhook,
    href: "/settings/webhooks?add=true",
    scope: "webhooks:write",
  },
];
