/** The pages that can be reached from anywhere. */
import {
  Building2,
  CalendarClock,
  FileStack,
  FileText,
  House,
  type LucideIcon,
  PenLine,
  Settings,
} from "lucide-react";
import { settingsPages } from "#components/settings/pages.ts";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

export interface Place {
  label: string;
  href: `/${string}`;
  /** The key to press after g. */
  key?: string;
  /** The scope required to see it; null if every member may. */
  scope: Scope | PeopleScope | null;
}

/** A page in the main navigation. */
export interface Destination extends Place {
  icon: LucideIcon;
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

/** Further pages, for the palette, which defines their icons, and for keyboard shortcuts. */
export const innerPlaces: Place[] = [
  { label: "Inbox", href: "/inbox", key: "i", scope: null },
  { label: "My approvals", href: "/approvals", key: "y", scope: "contracts:read" },
  {
    label: "Obligations calendar",
    href: "/obligations/calendar",
    key: "d",
    scope: "obligations:read",
  },
  { label: "Upload documents", href: "/contracts/upload", scope: "contracts:write" },
  { label: "Import contracts", href: "/contracts/import", scope: "contracts:write" },
  ...settingsPages,
];

/** Whether a path is a destination's page or below it. */
export function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}
