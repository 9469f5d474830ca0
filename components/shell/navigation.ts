/** Where one can go from everywhere. An entry is here once its page is. */
import {
  Building2,
  CalendarClock,
  CalendarDays,
  FileSpreadsheet,
  FileStack,
  Files,
  FileText,
  House,
  Inbox,
  type LucideIcon,
  PenLine,
  Settings,
} from "lucide-react";
import { type SettingsAction, settingsPages } from "#components/settings/pages.ts";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

export interface Destination {
  label: string;
  href: `/${string}`;
  icon: LucideIcon;
  /** Pressed after g. */
  key?: string;
  /** What it takes to see it; null: to be a member. */
  scope: Scope | PeopleScope | null;
}

export const destinations: Destination[] = [
  { label: "Home", href: "/home", icon: House, key: "h", scope: "contracts:read" },
  { label: "Contracts", href: "/contracts", icon: FileText, key: "c", scope: "contracts:read" },
  { label: "Obligations", href: "/obligations", icon: CalendarClock, key: "o", scope: "obligations:read" },
  { label: "Signatures", href: "/signatures", icon: PenLine, key: "s", scope: "signatures:read" },
  {
    label: "Counterparties",
    href: "/counterparties",
    icon: Building2,
    key: "p",
    scope: "counterparties:read",
  },
  { label: "Templates", href: "/templates", icon: FileStack, key: "t", scope: "templates:read" },
  { label: "Settings", href: "/settings", icon: Settings, key: ",", scope: null },
];

/** Pages within these, for the palette and the keyboard. */
export const innerDestinations: Destination[] = [
  { label: "Inbox", href: "/inbox", icon: Inbox, key: "i", scope: null },
  {
    label: "Obligations calendar",
    href: "/obligations/calendar",
    icon: CalendarDays,
    key: "d",
    scope: "obligations:read",
  },
  { label: "Upload documents", href: "/contracts/upload", icon: Files, scope: "contracts:write" },
  { label: "Import contracts", href: "/contracts/import", icon: FileSpreadsheet, scope: "contracts:write" },
  ...settingsPages,
];

/** What can be created from everywhere: each opens its dialog, or its list to choose from, by the page's address. */
export const createActions: SettingsAction[] = [
  { label: "New contract from a template", icon: FileStack, href: "/templates", scope: "contracts:write" },
  {
    label: "New counterparty",
    icon: Building2,
    href: "/counterparties?add=true",
    scope: "counterparties:write",
  },
  { label: "New template", icon: FileStack, href: "/templates?add=true", scope: "templates:write" },
];

/** Whether a page belongs to a destination. */
export function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}
